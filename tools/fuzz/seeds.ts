import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { type FormatName, pairs } from '@kiln/converter/catalog'
import { docx, epub, flatDocument, odt, png, xlsx } from '@kiln/test-support/documents.ts'
import { keynoteFile, numbersFile, pagesFile } from '@kiln/test-support/iwork.ts'
import { vsdx, wpd } from '@kiln/test-support/other-programs.ts'
import { outlookMail } from '@kiln/test-support/outlook-mail.ts'
import { onePage } from '@kiln/test-support/pdf-file.ts'
import { siblingOf } from '@kiln/test-support/siblings.ts'
import { officeFile } from '@kiln/test-support/test-converter.ts'
import { zip } from '@kiln/test-support/zip.ts'

// At least one small valid file of every source format, to be mutated.

export interface Seed {
  format: FormatName
  content: Buffer
}

const words =
  'Some words that a reader of this document can see, so that the checks have something to compare.'

const markdown = `---\ntitle: Mosses\n---\n\n# One\n\n${words}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- x\n- y\n\n> q\n\n![p](data:image/png;base64,${png.toString('base64')})\n`
const html = `<!doctype html><html><head><title>t</title><style>p { color: red }</style></head><body><h1>One</h1><p>${words}</p><table><tr><td rowspan="2">a</td><td>b</td></tr></table><img src="data:image/png;base64,${png.toString('base64')}"></body></html>`
const mail = [
  'From: Anna <a@example.org>',
  'To: Ben <b@example.org>',
  'Subject: =?utf-8?Q?Offer?=',
  'Date: Mon, 16 Nov 2026 09:00:00 +0000',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="outer"',
  '',
  '--outer',
  'Content-Type: text/html; charset=utf-8',
  '',
  `<p>${words}</p><img src="cid:clay">`,
  '--outer',
  'Content-Type: image/png',
  'Content-ID: <clay>',
  'Content-Transfer-Encoding: base64',
  'Content-Disposition: inline; filename="clay.png"',
  '',
  png.toString('base64'),
  '--outer--',
  '',
].join('\r\n')

const latex = `\\documentclass{article}\\begin{document}\\section{One}\n${words} $x^2$\n\\begin{tabular}{ll}a & b\\\\\\end{tabular}\n\\end{document}\n`
const rst = `One\n===\n\n${words}\n\n.. note:: A note\n\n+---+---+\n| a | b |\n+---+---+\n`
const cells =
  '<table:table><table:table-row><table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row></table:table>'

const archive = (name: string, content: string): Buffer =>
  zip([
    { name, content },
    { name: 'a.png', content: png },
  ])

/** Those that are made without a program. */
export async function documentSeeds(): Promise<Seed[]> {
  const slides = await officeFile('slides.pptx')
  const [text, sheet] = [
    docx(words, 'Second'),
    xlsx({
      rows: [
        ['Species', 'Height'],
        ['Bryum', '10'],
      ],
    }),
  ]
  const seeds: [FormatName, Buffer | string][] = [
    ['docx', text],
    ['docm', siblingOf(text, 'docm')],
    ['dotx', siblingOf(text, 'dotx')],
    ['doc', await officeFile('letter.doc')],
    ['odt', odt(words)],
    ['fodt', flatDocument('text', `<text:p>${words}</text:p>`)],
    ['rtf', await officeFile('letter.rtf')],
    ['txt', words],
    ['xlsx', sheet],
    ['xlsm', siblingOf(sheet, 'xlsm')],
    ['xltx', siblingOf(sheet, 'xltx')],
    ['xls', await officeFile('table.xls')],
    ['ods', await officeFile('table.ods')],
    ['fods', flatDocument('spreadsheet', cells)],
    ['csv', 'a,b\n1,"2\n3"\n'],
    ['pptx', slides],
    ['pptm', siblingOf(slides, 'pptm')],
    ['ppsx', siblingOf(slides, 'ppsx')],
    ['potx', siblingOf(slides, 'potx')],
    ['ppt', await officeFile('slides.ppt')],
    ['odp', await officeFile('slides.odp')],
    ['odg', await officeFile('drawing.odg')],
    ['wpd', wpd(words)],
    ['pages', pagesFile(words)],
    ['numbers', numbersFile([[words, 'x']])],
    ['key', keynoteFile(words)],
    ['vsdx', vsdx(words)],
    ['vsd', await officeFile('connectors.vsd')],
    ['pub', await officeFile('text-boxes.pub')],
    ['html', html],
    ['html', archive('index.html', html)],
    ['md', markdown],
    ['md', archive('main.md', markdown)],
    ['epub', epub(`<h1>One</h1><p>${words}</p>`)],
    ['rst', rst],
    ['latex', latex],
    ['latex', archive('main.tex', latex)],
    ['eml', mail],
    [
      'msg',
      outlookMail({
        subject: 'Offer',
        html: Buffer.from(`<p>${words}</p>`),
        attachments: [{ name: 'a.png', content: png }],
      }),
    ],
    ['pdf', onePage(`BT /F1 24 Tf 72 700 Td (${words}) Tj ET 72 600 200 50 re S`)],
  ]
  return seeds.map(([format, content]) => ({ format, content: Buffer.from(content) }))
}

const films: readonly [FormatName, video: string, audio: string][] = [
  ['mp4', 'libx264', 'aac'],
  ['mov', 'libx264', 'aac'],
  ['m4v', 'libx264', 'aac'],
  ['3gp', 'mpeg4', 'aac'],
  ['mkv', 'libx264', 'aac'],
  ['webm', 'libvpx', 'libopus'],
  ['avi', 'mpeg4', 'mp3'],
  ['wmv', 'wmv2', 'wmav2'],
  ['flv', 'flv1', 'mp3'],
  ['mpeg', 'mpeg1video', 'mp2'],
  ['ts', 'mpeg2video', 'mp2'],
  ['vob', 'mpeg2video', 'mp2'],
  ['ogv', 'libtheora', 'libvorbis'],
  ['mxf', 'mpeg2video', 'pcm_s16le'],
  ['rm', 'rv10', 'ac3'],
  ['gif', 'gif', ''],
]

/** Half a second of a small picture and sound. */
function film(folder: string, [format, video, audio]: (typeof films)[number]): Seed {
  const path = join(folder, `film.${format}`)
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=0.5:sample_rate=48000', '-c:a', audio]
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=176x144:rate=25:duration=0.5']
  const [source, codec] = audio === '' ? [[], []] : [sound.slice(0, 4), sound.slice(4)]
  const codecs = ['-c:v', video, ...codec, '-strict', '-2']
  execFileSync('ffmpeg', ['-v', 'error', ...picture, ...source, ...codecs, path])
  return { format, content: readFileSync(path) }
}

/** The picture of a page, in each format. */
function pictures(folder: string): Seed[] {
  const page = join(folder, 'page')
  const paint = (kind: 'png' | 'tiff') =>
    execFileSync('pdftoppm', ['-r', '100', `-${kind}`, '-singlefile', '-H', '300', `${page}.pdf`, page])
  writeFileSync(
    `${page}.pdf`,
    onePage(`BT /F1 24 Tf 72 700 Td (${words.slice(0, 30)}) Tj ET 72 600 200 50 re S`),
  )
  paint('png')
  paint('tiff')
  for (const kind of ['jpg', 'webp'])
    execFileSync('ffmpeg', ['-v', 'error', '-i', `${page}.png`, `${page}.${kind}`])
  const files: readonly [FormatName, string][] = [
    ['png', 'png'],
    ['jpg', 'jpg'],
    ['tiff', 'tif'],
    ['webp', 'webp'],
  ]
  return files.map(([format, extension]) => ({ format, content: readFileSync(`${page}.${extension}`) }))
}

/** Also the files below `folder` whose extension is the name of a format. */
export async function openSeeds(folder: string | undefined): Promise<Seed[]> {
  const work = mkdtempSync(join(tmpdir(), 'kiln-fuzz-'))
  try {
    const seeds = [
      ...(await documentSeeds()),
      ...films.map((each) => film(work, each)),
      ...pictures(work),
      ...seedsBelow(folder),
    ]
    const missing = pairs.filter(({ from }) => !seeds.some(({ format }) => format === from))
    if (missing.length > 0)
      throw new Error(`Add a seed for ${[...new Set(missing.map(({ from }) => from))].join(', ')}.`)
    return seeds
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function seedsBelow(folder: string | undefined): Seed[] {
  if (folder === undefined) return []
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return names.flatMap((name) => {
    const format = extname(name).slice(1).toLowerCase() as FormatName
    const isSource = pairs.some(({ from }) => from === format)
    return isSource ? [{ format, content: readFileSync(join(folder, name)) }] : []
  })
}
