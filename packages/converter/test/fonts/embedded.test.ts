import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { docxWith, relationships } from '@kiln/test-support/documents.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { expect, test, vi } from 'vitest'
import { setNames } from '../../fonts/face.ts'
import { readFont, writeFonts } from '../../fonts/sfnt.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

// A font inside a document is for that document. A LibreOffice that converts many would set the next ones in it too.

const run = promisify(execFile)
const kiln = useTestConverter()

const family = 'Only Here'
const body = `<w:p><w:r><w:rPr><w:rFonts w:ascii="${family}" w:hAnsi="${family}"/></w:rPr><w:t>text</w:t></w:r></w:p>`

function unknownFont(): Buffer {
  const font = readFont(
    readFileSync(join(import.meta.dirname, '../../fonts/build/fonts/Kiln-Mono-1-Regular.ttf')),
  )
  setNames(font.tables, { family, style: 'Regular', base: 'a substitute' })
  return writeFonts([font])
}

/** Word scrambles the first 32 bytes with the digits of a key, from its end. */
function scrambled(font: Buffer, key: string): Buffer {
  const digits = Buffer.from(key.replaceAll(/[{}-]/g, ''), 'hex').reverse()
  const made = Buffer.from(font)
  for (let at = 0; at < 32; at += 1) made[at] = (font[at] as number) ^ (digits[at % 16] as number)
  return made
}

function withFontInside(): Buffer {
  const key = '{0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0}'
  const namespaces =
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ' +
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
  return docxWith(body, {
    relationships: [{ id: 'r1', type: 'fontTable', target: 'fontTable.xml' }],
    entries: [
      {
        name: 'word/fontTable.xml',
        content: `<?xml version="1.0"?><w:fonts ${namespaces}><w:font w:name="${family}"><w:embedRegular r:id="r1" w:fontKey="${key}"/></w:font></w:fonts>`,
      },
      {
        name: 'word/_rels/fontTable.xml.rels',
        content: relationships([{ id: 'r1', type: 'font', target: 'fonts/font1.odttf' }]),
      },
      { name: 'word/fonts/font1.odttf', content: scrambled(unknownFont(), key) },
    ],
  })
}

const fontsOf = async (document: Buffer) => {
  const { stdout } = await run('pdffonts', [await kiln.convert(document, 'docx', 'pdf')])
  return stdout
}

test('a font inside a document is used for it and for no other', async () => {
  expect(await fontsOf(withFontInside())).toContain('OnlyHere')
  for (let other = 0; other < 3; other += 1) expect(await fontsOf(docxWith(body))).not.toContain('OnlyHere')
})
