// `npm run fidelity -- YARDSTICK FOLDER`: compares Kiln's output with that of other programs for the same file. Each
// yardstick has a folder beside this file. Documents and their reference versions are not part of this repository.

const yardsticks: Readonly<Record<string, (folder: string, args: string[]) => Promise<void>>> = {
  office: async (...given) => (await import('./office/measure.ts')).measureOffice(...given),
  scans: async (...given) => (await import('./scans/measure.ts')).measureScans(...given),
  'scan-steps': async (...given) => (await import('./scans/ablate.ts')).ablateSteps(...given),
  'scan-structure': async (...given) => (await import('./scans/structure.ts')).measureStructure(...given),
}

const [name = '', folder, ...args] = process.argv.slice(2)
const measure = yardsticks[name]
if (measure && folder) await measure(folder, args)
else {
  console.error(`npm run fidelity -- office FOLDER [--keep]
npm run fidelity -- scans FOLDER [fit|measure|unseen|all] [COUNT] [LANGUAGES] [TEXTS]
npm run fidelity -- scan-steps FOLDER [COUNT] [LANGUAGES] [TEXTS]
npm run fidelity -- scan-structure FOLDER TRUTH BENCHMARKS PRINTS [development|validation|final] [PAGES]`)
  process.exitCode = 1
}
