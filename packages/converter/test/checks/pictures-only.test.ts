import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { png } from '@kiln/test-support/documents.ts'
import { pairOf } from '@kiln/test-support/test-converter.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { zip } from '@kiln/test-support/zip.ts'
import { expect, test } from 'vitest'

// Content that is not text of the document is not searched for in the output: base64 data of pictures, files that the
// document of an archive does not include.

const kiln = useTestConverter()

const warnings = async (content: string | Buffer, from: 'fodt' | 'rst', to: 'pdf' | 'html') => {
  const output = join(kiln.folder, `out.${to}`)
  const input = (path: string) => writeFile(path, content)
  return (await kiln.converter.convertFile({ pair: pairOf(from, to), input, output })).report.warnings
}

const picture = (data: Buffer) =>
  '<text:p><draw:frame svg:width="3cm" svg:height="3cm"><draw:image><office:binary-data>' +
  `${data.toString('base64')}</office:binary-data></draw:image></draw:frame></text:p>`

const flatText = (body: string) =>
  '<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" ' +
  'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" ' +
  'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.3" ' +
  'office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text>' +
  `${body}</office:text></office:body></office:document>`

test('a flat document with pictures needs no warning', async () => {
  // Bytes behind the picture: its data has hundreds of letters that look like words.
  const data = Buffer.concat([png, randomBytes(20_000)])
  expect(await warnings(flatText(`<text:p>Two words</text:p>${picture(data)}`), 'fodt', 'pdf')).toEqual([])
})

test('an archive is compared by its document alone', async () => {
  const others = Array.from(
    { length: 60 },
    (_, index) => `Chapter about subject${'abcdefghij'[index % 10]}${index}words`,
  )
  const archive = zip([
    {
      name: 'index.rst',
      content: 'Overview\n========\n\nWords of the first page, which are few but enough to compare.\n',
    },
    { name: 'later/chapter.rst', content: others.join('\n\n') },
  ])
  expect(await warnings(archive, 'rst', 'html')).toEqual([])
})
