import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineRun } from '@kiln/converter'
import { docx } from '@kiln/test-support/documents.ts'
import { beforeAll, expect, test } from 'vitest'
import { openConsole, password } from '../console/console-client.ts'
import type { PageClient } from '../support/page-client.ts'
import { useService } from '../support/service.ts'

// A house style from the console to the engine, which is a test engine.

const service = useService({ operatorPassword: password })
let console: PageClient
let path: string
let seen: EngineRun['style'] | undefined
beforeAll(async () => {
  console = await openConsole(service)
  path = `/accounts/${service.customer.accountId}/style`
  service.startWorker(async ({ style, to, outFolder }) => {
    seen = style
    await writeFile(join(outFolder, 'output'), to === 'docx' ? docx('words') : '<!doctype html><p>words')
    return 'output'
  })
})

const put = async (part: string, body: string | Buffer) => {
  const answer = await console.call(`${path}/${part}`, {
    method: 'PUT',
    body: new Uint8Array(Buffer.from(body)),
  })
  return { status: answer.status, ...((await answer.json()) as { error?: string; style?: object }) }
}
const styleOf = async (pair: string) => {
  seen = undefined
  expect(await service.ended(await service.convert('# words', pair))).toMatchObject({ status: 'done' })
  return seen
}

test('each part is set, used by the pairs that can, and removed without the other', async () => {
  expect(await console.get(path)).toEqual({ style: null })
  expect(await styleOf('md-to-html')).toEqual({})
  const css = 'p { color: #123456 } /* größer */'
  expect(await put('css', css)).toMatchObject({ status: 200, style: { css, referenceBytes: null } })
  const reference = docx('ours')
  expect(await put('reference', reference)).toMatchObject({
    style: { css, referenceBytes: reference.length },
  })
  expect(await styleOf('md-to-html')).toEqual({ css })
  expect(await styleOf('md-to-docx')).toEqual({ referenceName: 'reference.docx' })
  expect(await styleOf('md-to-rst')).toEqual({})

  await console.post(`${path}/remove`, { part: 'css' })
  expect(await styleOf('md-to-html')).toEqual({})
  expect(await styleOf('md-to-docx')).toEqual({ referenceName: 'reference.docx' })
  await expect(console.post(`${path}/remove`, { part: 'css' })).rejects.toThrow(/404/)
  await console.post(`${path}/remove`, { part: 'reference' })
  expect(await console.get(path)).toEqual({ style: null })
})

test.each([
  ['css', 'p {} </style>', 400, /<\//],
  ['css', '', 400, /not a style sheet/],
  ['css', Buffer.alloc(64 * 1024 + 1, 32), 400, /65536/],
  ['reference', 'words', 400, /DOCX/],
  ['reference', Buffer.alloc(2 * 1024 * 1024), 400, /1 MB/],
  ['font', 'words', 400, /part/],
])('a wrong %s is refused with a sentence', async (part, body, status, sentence) => {
  const answer = await put(part, body)
  expect(answer).toMatchObject({ status, error: expect.stringMatching(sentence) })
  expect(await console.get(path)).toEqual({ style: null })
})

test('who is not signed in sets nothing', async () => {
  const answer = await console.call(`${path}/css`, { method: 'PUT', body: 'p {}', headers: { cookie: '' } })
  expect(answer.status).toBe(401)
  expect(await console.get(path)).toEqual({ style: null })
})
