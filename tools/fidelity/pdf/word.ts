import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type Report, report } from './report.ts'
import { type FileScores, type Summary, summarise } from './scores.ts'

// Compares PDFs converted to Word with the Word files that they were printed from and with the pages: the output is
// printed by LibreOffice and overlaid. The folder has `data` and `bench.py`, which converts and scores. It needs
// Debian's python3-fitz, python3-docx, python3-lxml, python3-numpy, python3-pil, python3-opencv, python3-skimage and
// poppler-utils.

const run = promisify(execFile)
const program = resolve(import.meta.dirname, '../../../packages/pdf/build/main.js')

const drawing: Report = {
  name: 'word',
  title: 'PDF to Word (100 is the same)',
  drawn: new Set(
    ['word', 'printed'].flatMap((name) =>
      ['score', 'tables', 'headings', 'visual'].map((m) => `${name} ${m}`),
    ),
  ),
}

interface Scored {
  score: number
  metrics: Readonly<Record<string, { score: number }>>
}

/** `pairs` contains Word files, each with the PDF that Word printed from it. */
export async function measureWord(folder: string, keep: boolean, pairs?: string): Promise<void> {
  if (!existsSync(program))
    throw new Error(`${program} is missing. Run \`node scripts/setup.mjs\`, which makes it.`)
  const place = await mkdtemp(join(tmpdir(), 'kiln-fidelity-'))
  try {
    const found: Summary[] = summarise('word', await score(folder, [], join(place, 'mixed')))
    if (pairs) {
      const data = join(place, 'data')
      await layOut(resolve(pairs), join(data, 'printed'))
      const kind = ['-k', 'printed', '--data', data]
      found.push(...summarise('printed', await score(folder, kind, join(place, 'printed'))))
    }
    await report(drawing, found, keep)
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

async function score(
  folder: string,
  args: readonly string[],
  results: string,
): Promise<Record<string, FileScores>> {
  const command = `kiln=${process.execPath} ${program} {in} {out}`
  await run(
    '/usr/bin/python3',
    [resolve(folder, 'bench.py'), '--cmd', command, '--results', results, ...args],
    { maxBuffer: 64 * 1024 * 1024 },
  )
  const scored = JSON.parse(await readFile(join(results, 'kiln.json'), 'utf8')) as Record<string, Scored>
  return Object.fromEntries(
    Object.entries(scored).map(([id, own]) => [
      basename(id),
      {
        ...Object.fromEntries(Object.entries(own.metrics).map(([metric, m]) => [metric, m.score])),
        score: own.score / 100,
      },
    ]),
  )
}

/** Creates the layout that the scoring program expects: a folder per document. */
async function layOut(pairs: string, to: string): Promise<void> {
  for (const name of await readdir(pairs)) {
    const id = basename(name, '.docx')
    const printed = join(pairs, `${id}.pdf`)
    if (id === name || !existsSync(printed)) continue
    await mkdir(join(to, id), { recursive: true })
    await symlink(join(pairs, name), join(to, id, 'truth.docx'))
    await symlink(printed, join(to, id, 'original.pdf'))
  }
}
