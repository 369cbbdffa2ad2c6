import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { FormatName } from '@kiln/converter/catalog'
import {
  type InterchangeFormat,
  readers,
  writers,
} from '../../../../packages/converter/src/engines/pandoc/formats.ts'
import { makeDocuments } from '../office/documents.ts'

const run = promisify(execFile)

export interface Case {
  name: string
  source: string
  from: FormatName
  to: FormatName
  /** Maximum for Kiln, as a multiple of the bare program's time. */
  maxRatio: number
  /** Program and arguments for the same conversion without Kiln. */
  bare(target: string): string[]
}

export interface Video {
  seconds: number
  /** H.264 and AAC in Matroska: can be remuxed to MP4. */
  h264: string
  /** MPEG-4 Part 2 and MP3 in AVI: has to be re-encoded. */
  avi: string
  encode: readonly string[]
  /** The encoder that Kiln uses. */
  encoder: readonly string[]
}

const quietly = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y']
const encoder = '-c:v libx264 -preset veryfast -crf 21 -pix_fmt yuv420p -c:a aac -movflags +faststart'.split(
  ' ',
)

export async function makeVideo(folder: string, seconds: number, name = 'video'): Promise<Video> {
  const [h264, avi] = [join(folder, `${name}.mkv`), join(folder, `${name}.avi`)]
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=25:d=${seconds}`]
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:d=${seconds}`]
  await run('ffmpeg', [...quietly, ...picture, ...sound, ...encoder, h264])
  const small = ['-vf', 'scale=640:360', '-c:v', 'mpeg4', '-q:v', '4', '-c:a', 'libmp3lame']
  await run('ffmpeg', [...quietly, '-i', h264, ...small, avi])
  return { seconds, h264, avi, encode: quietly, encoder }
}

const words = 'harvest barley orchard river market village winter letter account total average yield'.split(
  ' ',
)

/** Markdown with headings, emphasis, links, lists and tables. */
function markdown(sections: number): string {
  const text = (seed: number, count: number) =>
    Array.from({ length: count }, (_, index) => words[(seed * 7 + index * index) % words.length]).join(' ')
  return Array.from({ length: sections }, (_, section) =>
    [
      `## Section ${section + 1}`,
      `${text(section, 60)} *${text(section, 3)}* and [a link](https://example.org/${section}).`,
      text(section + 1, 80),
      `- ${text(section, 5)}\n- ${text(section + 2, 6)}`,
      `| a | b | c |\n|---|---|---|\n| 1 | 2 | ${section} |\n| 4 | 5 | 6 |`,
    ].join('\n\n'),
  ).join('\n\n')
}

const chromium = ['--headless', '--no-sandbox', '--disable-gpu', '--no-pdf-header-footer']
const pdfProgram = fileURLToPath(new URL('../../../../packages/pdf/src/main.ts', import.meta.url))

export async function makeCases(folder: string, video: Video): Promise<Case[]> {
  const { docx } = await makeDocuments(join(folder, 'documents'))
  const inFolder = (name: string) => join(folder, name)
  const write = async (name: string, text: string) => {
    await writeFile(inFolder(name), text)
    return inFolder(name)
  }
  const toHtml = async (source: string, name: string) => {
    await run('pandoc', ['-s', '-t', 'html', '--metadata', 'title=Page', '-o', inFolder(name), source])
    return inFolder(name)
  }
  const print = (profile: string, source: string, target: string) => [
    'chromium',
    ...chromium,
    `--user-data-dir=${inFolder(profile)}`,
    `--print-to-pdf=${target}`,
    `file://${source}`,
  ]
  const [letter, book] = [await write('letter.md', markdown(4)), await write('book.md', markdown(150))]
  const page = await toHtml(letter, 'page.html')
  const onePage = inFolder('page.pdf')
  const [program = '', ...args] = print(
    'print-profile',
    await toHtml(await write('short.md', markdown(1)), 'small.html'),
    onePage,
  )
  await run(program, args)
  const pandoc = (
    name: string,
    maxRatio: number,
    source: string,
    from: InterchangeFormat,
    to: InterchangeFormat,
  ): Case => {
    // The same dialects that Kiln reads and writes: detecting bare URLs alone takes a fifth of pandoc's time.
    const options = ['--standalone', '-f', readers[from], '-t', writers[to], '--metadata', 'title=x']
    return {
      name,
      maxRatio,
      source,
      from,
      to,
      bare: (target) => ['pandoc', ...options, '-o', target, source],
    }
  }
  const ffmpeg = (source: string, options: readonly string[]) => (target: string) => [
    'ffmpeg',
    ...quietly,
    '-i',
    source,
    ...options,
    target,
  ]
  const { avi, h264 } = video
  const copy = ['-c', 'copy', '-movflags', '+faststart']
  const office =
    'soffice "-env:UserInstallation=file://$1" --headless --convert-to pdf --outdir "$2" "$3" && mv "$2/report.pdf" "$4"'
  return [
    pandoc('md to html, 2 pages', 1.2, letter, 'md', 'html'),
    pandoc('md to docx, 2 pages', 1.2, letter, 'md', 'docx'),
    pandoc('md to docx, 80 pages', 1.1, book, 'md', 'docx'),
    pandoc('docx to md, 12 pages', 1.1, docx, 'docx', 'md'),
    {
      name: 'html to pdf',
      maxRatio: 0.3,
      source: page,
      from: 'html',
      to: 'pdf',
      bare: (target) => print('chromium-profile', page, target),
    },
    {
      name: 'pdf to docx, 1 page',
      maxRatio: 0.25,
      source: onePage,
      from: 'pdf',
      to: 'docx',
      bare: (target) => [process.execPath, pdfProgram, onePage, target],
    },
    {
      name: 'docx to pdf, 12 pages',
      maxRatio: 0.5,
      source: docx,
      from: 'docx',
      to: 'pdf',
      bare: (target) => [
        'sh',
        '-c',
        office,
        'bare',
        inFolder('office-profile'),
        inFolder('office-out'),
        docx,
        target,
      ],
    },
    {
      name: 'avi to mp4, encoded',
      maxRatio: 1.1,
      source: avi,
      from: 'avi',
      to: 'mp4',
      bare: ffmpeg(avi, encoder),
    },
    {
      name: 'mkv to mp4, copied',
      maxRatio: 1.2,
      source: h264,
      from: 'mkv',
      to: 'mp4',
      bare: ffmpeg(h264, copy),
    },
  ]
}
