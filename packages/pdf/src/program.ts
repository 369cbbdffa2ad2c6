// Entry point of the bundle: everything that a conversion needs.

export { convertPdf } from './convert.ts'
export { convertInMainThread } from './main-thread.ts'
export { keepPdfium } from './read/machine-code.ts'
export { runTask } from './task.ts'
export { warmUp } from './warm-up.ts'
