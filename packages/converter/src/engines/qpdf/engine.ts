import { askVersion } from '../ask-version.ts'
import type { Engine, EngineParts } from '../engine.ts'
import { pdfaFolder } from '../pdf/archival.ts'
import { runSandboxedProgram } from '../sandboxed-program.ts'

// PDF to PDF. Steps on several files: merge, split, rotate, stamp and encrypt PDFs, read and write their metadata,
// convert to PDF/A. Kiln's own program performs them in the sandbox, with qpdf (src/sandboxed-programs/process-files.ts); files are
// only parsed there.

const resultsName = 'output.zip'

export const createQpdfEngine = (parts: EngineParts): Engine => ({
  name: 'qpdf',
  budget: { seconds: 60, secondsPerMegabyte: 10 },

  async convert(run) {
    await runSandboxedProgram(run, 'process-files', [`/out/${resultsName}`, pdfaFolder.to], [pdfaFolder])
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
