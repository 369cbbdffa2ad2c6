import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { measureBusiness, measureScripts } from './pages.ts'
import { type Report, report } from './report.ts'
import { benchmarks, type FileScores, type Summary, summarise } from './scores.ts'

// Compares PDFs converted to Markdown with manually written truth, and generated pages with their sources. The folder
// has `data/INDEX.tsv` and `bench.py`, which converts and scores; it needs Debian's python3-lxml, python3-numpy,
// python3-levenshtein and poppler-utils. The generated pages need Chromium and LibreOffice.

const run = promisify(execFile)
const repository = resolve(import.meta.dirname, '../../..')
const program = join(repository, 'packages/pdf/build/main.js')

const drawing: Report = {
  name: 'pdf',
  title: 'PDF understood: agreement with the truth (100 is the same)',
  drawn: new Set([
    'odl overall',
    'icdar adjacency F1',
    'icdar TEDS',
    'ppb TEDS',
    'ppb latex',
    'jose overall',
    'olmocr passed',
    'business runs',
    'business rows',
    'scripts paragraphs',
    'scripts cells',
  ]),
}

export async function measurePdf(folder: string, keep: boolean): Promise<void> {
  if (!existsSync(program))
    throw new Error(`${program} is missing. Run \`node scripts/setup.mjs\`, which makes it.`)
  const place = await mkdtemp(join(tmpdir(), 'kiln-fidelity-'))
  try {
    const command = `kiln=${process.execPath} ${program} {in} {out}`
    await run('/usr/bin/python3', [resolve(folder, 'bench.py'), '--cmd', command, '--work', place], {
      maxBuffer: 64 * 1024 * 1024,
    })
    const found: Summary[] = []
    for (const benchmark of benchmarks) {
      const file = join(place, 'kiln', `${benchmark}.json`)
      if (existsSync(file))
        found.push(
          ...summarise(benchmark, JSON.parse(await readFile(file, 'utf8')) as Record<string, FileScores>),
        )
    }
    found.push(...summarise('business', await measureBusiness(join(place, 'business'))))
    found.push(...summarise('scripts', await measureScripts(join(place, 'scripts'))))
    await report(drawing, found, keep)
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}
