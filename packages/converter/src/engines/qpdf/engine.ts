import { askVersion } from '../ask-version.ts'
import { editLimits, editPdf, type PdfProgram } from '../edit-pdf.ts'
import type { Engine, EngineParts } from '../engine.ts'

// PDF to PDF. Steps on several files: merge, split, rotate, stamp and encrypt PDFs, read and write their metadata,
// convert to PDF/A. Kiln's own program performs them in the sandbox, with qpdf and pikepdf; files are only parsed there.

const resultsName = 'output.zip'

const program: PdfProgram = {
  name: 'process_files',
  limits: { ...editLimits, wallSeconds: 120, cpuSeconds: 60 },
  sentences: {
    tooLong: 'The file took longer to open than a conversion may take. Send less in it.',
    tooLarge: 'The file unpacks to more than the service allows. Send less in it.',
    outOfMemory: 'The file needs more memory to open than a conversion may use. Send less in it.',
  },
  fallback: 'The file could not be opened.',
}

export const createQpdfEngine = (parts: EngineParts): Engine => ({
  name: 'qpdf',
  budget: { seconds: 60, secondsPerMegabyte: 10 },

  async convert(run) {
    await editPdf(run, program, [`/in/${run.inputName}`, `/out/${resultsName}`])
    return resultsName
  },

  async version() {
    const limits = { wallSeconds: 20, cpuSeconds: 10, processes: 8, logBytes: 4096 }
    const space = { memoryBytes: 1024 ** 3, fileBytes: 1024 ** 2, diskBytes: 1024 ** 2 }
    const spec = { program: 'qpdf', args: ['--version'], limits: { ...limits, ...space } }
    const advice = 'qpdf does not start. Install the package qpdf.'
    return (await askVersion(parts, spec, /qpdf version \d+(\.\d+)*/, advice)).version
  },
})
