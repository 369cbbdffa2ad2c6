import { measureOffice } from './office/measure.ts'
import { measurePdf } from './pdf/measure.ts'
import { measureWord } from './pdf/word.ts'
import { measureScans } from './scans/measure.ts'
import { measureStructure } from './scans/structure.ts'

// `npm run fidelity -- YARDSTICK FOLDER`: compares Kiln's output with that of other programs for the same file. Each
// yardstick has a folder beside this file. Documents and their reference versions are not part of this repository.

type Measure = (folder: string, keep: boolean, ...more: string[]) => Promise<void>

const yardsticks: Readonly<Record<string, Measure>> = {
  office: measureOffice,
  pdf: measurePdf,
  scans: measureScans,
  'scan-structure': measureStructure,
  word: measureWord,
}

const [name = '', folder, ...rest] = process.argv.slice(2)
const measure = yardsticks[name]
if (measure && folder)
  await measure(folder, rest.includes('--keep'), ...rest.filter((word) => word !== '--keep'))
else {
  console.error(`npm run fidelity -- ${Object.keys(yardsticks).join('|')} FOLDER [PAIRS | fit|measure|all [COUNT]] [--keep]
  FOLDER  holds the documents, their true versions and the program that scores them; for scans: takes the simulated
          scans
  PAIRS   for word: a folder of Word files, each with the PDF that Word printed of it
  COUNT   for scans: documents in each language
  --keep  keeps the figures and the drawing in docs/fidelity, for the next run to compare with`)
  process.exitCode = 1
}
