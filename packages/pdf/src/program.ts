// What is bundled as one script: everything that a conversion needs.

export { convertPdf } from './convert.ts'
export { convertHere } from './here.ts'
export { keepPdfium } from './read/machine-code.ts'
export { runTask } from './task.ts'
export { warmUp } from './warm-up.ts'
