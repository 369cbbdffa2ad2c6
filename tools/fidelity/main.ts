import { measureOffice } from './office/measure.ts'
import { measureScans } from './scans/measure.ts'
import { measureStructure } from './scans/structure.ts'

// `npm run fidelity -- YARDSTICK FOLDER`: compares Kiln's output with that of other programs for the same file. Each
// yardstick has a folder beside this file. Documents and their reference versions are not part of this repository.

const yardsticks: Readonly<Record<string, (folder: string, args: string[]) => Promise<void>>> = {
  office: measureOffice,
  scans: measureScans,
  'scan-structure': measureStructure,
}

const [name = '', folder, ...args] = process.argv.slice(2)
const measure = yardsticks[name]
if (measure && folder) await measure(folder, args)
else {
  console.error(`npm run fidelity -- office FOLDER [--keep]
npm run fidelity -- scans FOLDER [fit|measure|unseen|all] [COUNT] [LANGUAGES] [TEXTS]
npm run fidelity -- scan-structure FOLDER TRUTH BENCHMARKS PRINTS [development|validation|final] [PAGES]`)
  process.exitCode = 1
}
