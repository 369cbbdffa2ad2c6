import { chromiumEngine } from './chromium/engine.ts'
import type { Engine } from './engine.ts'
import { createFfmpegEngine } from './ffmpeg/engine.ts'
import { createLibreOfficeEngine } from './libreoffice/engine.ts'
import { pandocEngine } from './pandoc/engine.ts'
import { pdfEngine } from './pdf/engine.ts'

// Every engine, written out. To add one: a folder beside this file and a line here.
export const engines: readonly Engine[] = [
  pandocEngine,
  createLibreOfficeEngine(),
  chromiumEngine,
  createFfmpegEngine(),
  pdfEngine,
]
