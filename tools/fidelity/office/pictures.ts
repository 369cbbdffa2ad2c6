import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

// Pages side by side for docs/to-pdf.md: Microsoft's PDF, unmodified LibreOffice, Kiln. Rendered from the scored PDFs
// with poppler and ffmpeg. The documents are from the half that rules were developed on.

const run = promisify(execFile)
const width = 520

interface Picture {
  name: string
  id: string
  program: 'Word' | 'PowerPoint' | 'Excel'
  page: number
  /** Share of the page that is shown, from its top. */
  share: number
}

const pictures: readonly Picture[] = [
  { name: 'specification', id: 'ocspec-1.1-de', program: 'Word', page: 8, share: 1 },
  { name: 'letter-ko', id: 'o2p-docx-06-official-letter-ko', program: 'Word', page: 1, share: 0.7 },
  { name: 'deck', id: 'owasp-2017-ru', program: 'PowerPoint', page: 7, share: 1 },
]

export interface Folders {
  original: string
  stock: string
  kiln: string
}

/** Renders those whose documents exist. */
export async function drawPictures(folders: Folders, docs: string): Promise<void> {
  const place = await mkdtemp(join(tmpdir(), 'kiln-pictures-'))
  try {
    for (const picture of pictures) {
      const sides = [
        { label: picture.program, folder: folders.original },
        { label: 'LibreOffice as it comes', folder: folders.stock },
        { label: 'Kiln', folder: folders.kiln },
      ].map((side) => ({ ...side, pdf: join(side.folder, `${picture.id}.pdf`) }))
      if (sides.every(({ pdf }) => existsSync(pdf))) await draw(picture, sides, place, docs)
    }
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

async function draw(
  { name, page, share }: Picture,
  sides: readonly { label: string; pdf: string }[],
  place: string,
  docs: string,
): Promise<void> {
  const inputs: string[] = []
  const filters: string[] = []
  for (const [index, { label, pdf }] of sides.entries()) {
    const drawn = join(place, `${name}-${index}`)
    const only = ['-f', `${page}`, '-l', `${page}`, '-singlefile']
    await run('pdftoppm', [...only, '-scale-to-x', `${width}`, '-scale-to-y', '-1', '-png', pdf, drawn])
    inputs.push('-i', `${drawn}.png`)
    filters.push(
      `[${index}]crop=iw:floor(ih*${share}):0:0,drawbox=color=gray:thickness=1,pad=iw+12:ih+30:0:30:white,` +
        `drawtext=font=Sans:text='${label}':x=3:y=7:fontsize=16[side${index}]`,
    )
  }
  const joined = `${filters.join(';')};${sides.map((_, index) => `[side${index}]`).join('')}hstack=inputs=${sides.length}`
  const output = join(docs, `${name}.png`)
  await run('ffmpeg', ['-v', 'error', '-y', ...inputs, '-filter_complex', joined, '-update', '1', output])
}
