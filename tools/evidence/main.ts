import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  businessFixtures,
  documentFixtures,
  fixtureFolder,
  keepScores,
  paperFixtures,
  printerOf,
  readKept,
  scoreFixtures,
  scriptFixtures,
} from './fixtures.ts'
import { printAll } from './print.ts'
import { printPaper } from './typeset.ts'

// node tools/evidence/main.ts          scores the fixtures and shows what differs from the figures kept
// node tools/evidence/main.ts keep     keeps today's figures
// node tools/evidence/main.ts print    prints the fixtures anew; papers need TeX

const task = process.argv[2]

if (task === 'print') {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-evidence-'))
  mkdirSync(fixtureFolder, { recursive: true })
  try {
    const pages = [...businessFixtures, ...documentFixtures, ...scriptFixtures].map((page) => {
      const file = join(folder, `${page.name}.html`)
      writeFileSync(file, page.html)
      const seed = Number(/\d+$/.exec(page.name)?.[0])
      return { file, printer: printerOf(seed) }
    })
    for (const printer of ['chromium', 'libreoffice', 'word'] as const) {
      const files = pages.filter((p) => p.printer === printer).map((p) => p.file)
      await printAll(printer, files, fixtureFolder)
    }
    for (const paper of paperFixtures)
      copyFileSync(await printPaper(paper, folder), join(fixtureFolder, `${paper.name}.pdf`))
    for (const left of ['profile', ...pages.map((p) => p.file.replace(/.*\/(.*)\.html$/, '$1.docx'))])
      rmSync(join(fixtureFolder, left), { recursive: true, force: true })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
} else {
  const scores = await scoreFixtures()
  if (task === 'keep') keepScores(scores)
  else {
    const kept = readKept()
    for (const [name, parts] of Object.entries(scores))
      for (const [part, value] of Object.entries(parts)) {
        const last = Object.entries(kept[name] ?? {}).find(([p]) => p === part)?.[1]
        if (last !== value) console.log(`${name} ${part}: ${last?.toFixed(3) ?? 'new'} → ${value.toFixed(3)}`)
      }
  }
}
