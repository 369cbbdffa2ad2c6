import { siblingOf } from '@kiln/test-support/siblings.ts'
import { unzip } from '@kiln/test-support/zip.ts'
import { expect, test } from 'vitest'
import { someClient } from './accounts.ts'
import { wordFile } from './documents.ts'
import { requirement } from './requirements.ts'
import { bytesOf } from './service.ts'

const client = someClient()
const words = 'Kiln office words'

test(`${requirement('pairs.other-programs')} a text of one program becomes one of another`, async () => {
  const rtf = bytesOf(`{\\rtf1\\ansi{\\fonttbl{\\f0 Times;}}\\f0 ${words}\\par}`)
  const parts = unzip(await client.convert('rtf-to-docx', rtf))
  expect(String(parts.get('word/document.xml'))).toContain(words)
})

test(`${requirement('pairs.templates-and-macros')} a document with macros leaves them behind, and the report says so`, async () => {
  const job = await client.run('docm-to-odt', new Uint8Array(siblingOf(wordFile(words), 'docm')))
  expect(job.status, String(job.error)).toBe('done')
  const parts = unzip(new Uint8Array(await (await fetch(job.downloadUrl ?? '')).arrayBuffer()))
  expect(String(parts.get('content.xml'))).toContain(words)
  expect([...parts.keys()].filter((name) => /basic|script|vba/i.test(name))).toEqual([])
  const report = (await client.report(job.jobId)).body as { leftOut: unknown[] }
  expect(report.leftOut).toEqual([{ what: 'macros', count: 1 }])
})
