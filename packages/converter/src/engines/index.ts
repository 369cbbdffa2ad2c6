import { createChromiumEngine } from './chromium/engine.ts'
import type { EngineMaker } from './engine.ts'
import { createFfmpegEngine } from './ffmpeg/engine.ts'
import { createLibreOfficeEngine } from './libreoffice/engine.ts'
import { createPandocEngine } from './pandoc/engine.ts'
import { createPdfEngine } from './pdf/engine.ts'
import { createQpdfEngine } from './qpdf/engine.ts'

// Every engine, written out. To add one: a folder beside this file and a line here.
export const engineMakers: readonly EngineMaker[] = [
  createPandocEngine,
  createLibreOfficeEngine,
  createChromiumEngine,
  createFfmpegEngine,
  createPdfEngine,
  createQpdfEngine,
]
