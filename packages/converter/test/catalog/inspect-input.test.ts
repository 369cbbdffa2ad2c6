import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  docx,
  docxWith,
  epub,
  flatDocument,
  odt,
  openDocument,
  paragraph,
  png,
  wordMain,
  xlsx,
} from '@kiln/test-support/documents.ts'
import { outlookMail } from '@kiln/test-support/outlook-mail.ts'
import { siblingOf } from '@kiln/test-support/siblings.ts'
import { officeFile, pairOf as pairInCatalogue } from '@kiln/test-support/test-converter.ts'
import { zip } from '@kiln/test-support/zip.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inspectInput } from '../../src/catalog/inspect-input.ts'
import type { FormatName, Pair } from '../../src/catalog/pairs.ts'
import { ConversionFailed } from '../../src/failure.ts'

// The source format does not depend on the target.
const pairOf = (from: FormatName, to: FormatName): Pair => ({ ...pairInCatalogue('docx', 'pdf'), from, to })

let folder: string
let count = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-inspect-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** `fits`, or the failure's word and sentence. */
async function verdict(content: Buffer | string, from: FormatName): Promise<string> {
  const path = join(folder, `file-${count++}`)
  await writeFile(path, content)
  try {
    await inspectInput(path, pairOf(from, 'pdf'))
    return 'fits'
  } catch (error) {
    if (error instanceof ConversionFailed) return `${error.word}: ${error.message}`
    throw error
  }
}

const box = (type: string, rest: string | Buffer) => {
  const body = Buffer.concat([Buffer.from(type), Buffer.from(rest)])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length + 4)
  return Buffer.concat([length, body])
}

describe('what the pair says', () => {
  test.each<[string, FormatName, () => Buffer | string | Promise<Buffer>]>([
    ['docx', 'docx', () => docx('Hello')],
    [
      'docx with macros',
      'docx',
      () => docxWith(paragraph('x'), { mainType: 'application/vnd.ms-word.document.macroEnabled.main+xml' }),
    ],
    [
      'docx template',
      'docx',
      () => docxWith(paragraph('x'), { mainType: wordMain.replace('document.main', 'template.main') }),
    ],
    ['docm', 'docm', () => siblingOf(docx('Hello'), 'docm')],
    ['a plain docx under the name of a template', 'dotx', () => docx('Hello')],
    ['xltx', 'xltx', () => siblingOf(xlsx({ rows: [['a']] }), 'xltx')],
    ['flat text', 'fodt', () => flatDocument('text', '')],
    ['flat sheet', 'fods', () => flatDocument('spreadsheet', '')],
    ['docx with bytes behind the archive', 'docx', () => Buffer.concat([docx('Hello'), Buffer.from('\n')])],
    ['a PDF without a hyphen before its version', 'pdf', () => '%PDF1.4\n%'],
    ['xlsx', 'xlsx', () => xlsx({ rows: [['a']] })],
    ['pptx', 'pptx', () => officeFile('slides.pptx')],
    ['odt', 'odt', () => odt('Hello')],
    [
      'odt without mimetype',
      'odt',
      () =>
        zip([
          {
            name: 'META-INF/manifest.xml',
            content:
              '<manifest:manifest xmlns:manifest="m"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/></manifest:manifest>',
          },
          { name: 'content.xml', content: '<x/>' },
        ]),
    ],
    ['ods', 'ods', () => officeFile('table.ods')],
    ['odp', 'odp', () => officeFile('slides.odp')],
    ['odg', 'odg', () => officeFile('drawing.odg')],
    ['epub', 'epub', () => epub('<p>Hello</p>')],
    [
      'epub with scrambled fonts',
      'epub',
      () =>
        epub('<p>x</p>', [
          {
            name: 'META-INF/encryption.xml',
            content:
              '<encryption xmlns:enc="e"><enc:EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/></encryption>',
          },
        ]),
    ],
    ['doc', 'doc', () => officeFile('letter.doc')],
    ['xls', 'xls', () => officeFile('table.xls')],
    ['ppt', 'ppt', () => officeFile('slides.ppt')],
    ['rtf', 'rtf', () => officeFile('letter.rtf')],
    ['rtf behind white space', 'rtf', () => '\n {\\rtf1 x}'],
    ['text in UTF-8', 'txt', () => 'Grüße, 世界'],
    [
      'text in UTF-16',
      'txt',
      () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Grüße', 'utf16le')]),
    ],
    ['text in an old encoding', 'md', () => Buffer.from('Gr\xfc\xdfe aus K\xf6ln', 'latin1')],
    ['html without a doctype', 'html', () => '<p>Hello'],
    ['csv', 'csv', () => 'a;b\n1;2\n'],
    ['mp4', 'mp4', () => box('ftyp', 'isom\0\0\x02\0isomiso2')],
    ['mov of before ftyp', 'mov', () => box('moov', Buffer.alloc(64))],
    ['mp4 named mov', 'mov', () => box('ftyp', 'mp42\0\0\0\0mp42')],
    ['3gp', '3gp', () => box('ftyp', '3gp4\0\0\0\x003gp4')],
    ['avi', 'avi', () => Buffer.from('RIFF\x10\0\0\0AVI LIST', 'latin1')],
    [
      'webm',
      'webm',
      () => Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84, ...Buffer.from('webm')]),
    ],
    [
      'mkv',
      'mkv',
      () => Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x8b, 0x42, 0x82, 0x88, ...Buffer.from('matroska')]),
    ],
    ['flv', 'flv', () => Buffer.from('FLV\x01\x05\0\0\0\x09', 'latin1')],
    [
      'wmv',
      'wmv',
      () => Buffer.concat([Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'), Buffer.alloc(64)]),
    ],
    ['mpeg', 'mpeg', () => Buffer.from([0, 0, 1, 0xba, 0x44, 0, 4, 0, 4, 1])],
    [
      'ts',
      'ts',
      () =>
        Buffer.concat(
          Array.from({ length: 5 }, () => Buffer.alloc(188, Buffer.from([0x47, ...Buffer.alloc(187)]))),
        ),
    ],
    ['ogv', 'ogv', () => Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0\x80theora', 'latin1')],
    ['mxf', 'mxf', () => Buffer.from('060e2b34020501010d01020101020400', 'hex')],
    ['vob', 'vob', () => Buffer.from('000001ba44000400', 'hex')],
    ['rm', 'rm', () => Buffer.from('.RMF\0\0\0\x12', 'latin1')],
    ['eml', 'eml', () => Buffer.from('Received: from x\r\n\tby y\r\nFrom: a@example.org\r\n\r\ntext')],
    [
      'eml with a broken header',
      'eml',
      () => 'Subject: x\nFrom: a@example.org\nbroken\nTo: b@example.org\n\ntext',
    ],
    ['msg', 'msg', () => outlookMail({ subject: 'x' })],
    ['gif', 'gif', () => Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1')],
  ])('%s fits', async (_, from, make) => {
    expect(await verdict(await make(), from)).toBe('fits')
  })
})

describe('wrong-format', () => {
  test.each<[string, FormatName, () => Buffer | string | Promise<Buffer>, RegExp]>([
    ['a picture named docx', 'docx', () => png, /not a DOCX file; it is a PNG file/],
    ['a web page named docx', 'docx', () => '<html><body>Hi</body></html>', /not a DOCX file/],
    ['flat OpenDocument named docx', 'docx', () => '<office:document xmlns:office="x"/>', /not a DOCX file/],
    ['random bytes named docx', 'docx', () => Buffer.from([1, 2, 3, 4, 5, 6, 7, 8, 9]), /not a DOCX file/],
    ['a sheet named docx', 'docx', () => xlsx({ rows: [['a']] }), /it is an XLSX file/],
    ['a docx named odt', 'odt', () => docx('x'), /not an ODT file; it is a DOCX file/],
    [
      'an archive of something else named docx',
      'docx',
      () => zip([{ name: 'a.txt', content: 'a' }]),
      /a ZIP archive of another kind/,
    ],
    ['a doc named docx', 'docx', () => officeFile('letter.doc'), /it is a DOC file/],
    ['an xls named doc', 'doc', () => officeFile('table.xls'), /it is an XLS file/],
    ['rtf named doc', 'doc', () => officeFile('letter.rtf'), /it is an RTF file/],
    ['a docx named md', 'md', () => docx('x'), /not a Markdown file; it is a DOCX file/],
    ['rtf named txt', 'txt', () => '{\\rtf1 x}', /it is an RTF file/],
    ['pdf named txt', 'txt', () => '%PDF-1.4\n%', /it is a PDF file/],
    ['bytes named csv', 'csv', () => Buffer.from([0x61, 0, 0, 0x62, 0xff, 0, 1]), /a binary file/],
    ['a picture named mp4', 'mp4', () => png, /not an MP4 file; it is a PNG file/],
    ['a HEIC picture named mp4', 'mp4', () => box('ftyp', 'heic\0\0\0\0heic'), /not an MP4 file/],
    ['a playlist named mp4', 'mp4', () => '#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n', /not an MP4 file/],
    ['a web page named webm', 'webm', () => '<!DOCTYPE html><p>', /not a WebM file/],
  ])('%s', async (_, from, make, sentence) => {
    const found = await verdict(await make(), from)
    expect(found).toMatch(/^wrong-format: /)
    expect(found).toMatch(sentence)
  })
})

describe('password-protected', () => {
  test.each<[string, FormatName]>([
    ['protected.docx', 'docx'],
    ['protected.doc', 'doc'],
    ['protected.odt', 'odt'],
    ['protected.xlsx', 'xlsx'],
  ])('%s, by an office program', async (name, from) => {
    expect(await verdict(await officeFile(name), from)).toMatch(/^password-protected: .*Remove the password/)
  })

  test('an archive that is encrypted itself', async () => {
    const content = zip([{ name: '[Content_Types].xml', content: 'x', encrypted: true }])
    expect(await verdict(content, 'docx')).toMatch(/^password-protected: /)
  })

  test('OpenDocument whose manifest says so', async () => {
    const content = openDocument('text', '<text:p/>', {
      manifestExtra: '<manifest:encryption-data manifest:checksum="x"/>',
    })
    expect(await verdict(content, 'odt')).toMatch(/^password-protected: /)
  })

  test('a book with copy protection', async () => {
    const algorithm = 'http://www.w3.org/2001/04/xmlenc#aes128-cbc'
    const encryption = `<encryption><EncryptionMethod Algorithm="${algorithm}"/></encryption>`
    const book = epub('<p>x</p>', [{ name: 'META-INF/encryption.xml', content: encryption }])
    expect(await verdict(book, 'epub')).toMatch(/^password-protected: .*copy protection/)
  })
})

describe('corrupt-input', () => {
  test('nothing at all', async () => {
    expect(await verdict('', 'md')).toMatch(/^corrupt-input: The file is empty/)
  })

  test('an archive that is cut off', async () => {
    const whole = docx('Hello')
    expect(await verdict(whole.subarray(0, whole.length - 40), 'docx')).toMatch(/^corrupt-input: .*ZIP/)
  })

  test('an archive whose data is not what was packed', async () => {
    const whole = docx('Hello')
    whole.fill(0xff, 60, 120)
    expect(await verdict(whole, 'docx')).toMatch(/^corrupt-input: /)
  })

  test('an OLE container whose tables lead outside the file', async () => {
    const whole = await officeFile('letter.doc')
    expect(await verdict(whole.subarray(0, 700), 'doc')).toMatch(/^corrupt-input: /)
  })

  test('an OLE container whose directory is a circle ends', async () => {
    const whole = Buffer.from(await officeFile('letter.doc'))
    const directory = (whole.readUInt32LE(0x30) + 1) * 512
    for (let entry = 0; entry < 4; entry += 1) {
      whole.writeUInt32LE(1, directory + entry * 128 + 0x44)
      whole.writeUInt32LE(1, directory + entry * 128 + 0x48)
    }
    expect(await verdict(whole, 'doc')).toMatch(/^(fits|wrong-format|corrupt-input)/)
  })
})

describe('too-complex: bombs in archives', () => {
  test('a high ratio', async () => {
    const bomb = docxWith('', {
      entries: [{ name: 'word/media/a.xml', content: Buffer.alloc(40 * 1024 * 1024) }],
    })
    expect(await verdict(bomb, 'docx')).toMatch(/^too-complex: .*more than 100 times/)
  })

  test('a directory that lies about the size', async () => {
    const content = Buffer.alloc(40 * 1024 * 1024)
    const bomb = docxWith('', { entries: [{ name: 'word/media/a.xml', content, claimedSize: 10 }] })
    expect(await verdict(bomb, 'docx')).toMatch(/^too-complex: /)
  })

  test('many entries', async () => {
    const entries = Array.from({ length: 5_001 }, (_, index) => ({ name: `word/${index}`, content: '' }))
    expect(await verdict(docxWith('', { entries }), 'docx')).toMatch(/^too-complex: .*5000 files/)
  })

  test('a large document that packs well is no bomb', async () => {
    const content = Buffer.alloc(15 * 1024 * 1024)
    expect(await verdict(docxWith('', { entries: [{ name: 'word/media/a.xml', content }] }), 'docx')).toBe(
      'fits',
    )
  })
})
