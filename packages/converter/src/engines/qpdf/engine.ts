import { askVersion } from '../ask-version.ts'
import type { Engine, EngineParts } from '../engine.ts'
import { runSandboxedProgram } from '../sandboxed-program.ts'

// Steps on several files at once: merge, split, rotate, stamp, encrypt PDFs, read and write their metadata. A program of
// ours does them in the sandbox, with qpdf (src/boxed/process-files.ts); everything of the files is read there.

const outputName = 'output.zip'

export const createQpdfEngine = (parts: EngineParts): Engine => ({
  name: 'qpdf',
  budget: { seconds: 30, secondsPerMegabyte: 5 },

  async convert(run) {
    await runSandboxedProgram(run, 'process-files', [`/out/${outputName}`])
    return outputName
  },

  async version() {
    const limits = { wallSeconds: 20, cpuSeconds: 10, processes: 8, logBytes: 4096 }
    const space = { memoryBytes: 1024 ** 3, fileBytes: 1024 ** 2, diskBytes: 1024 ** 2 }
    const box = { program: 'qpdf', args: ['--version'], limits: { ...limits, ...space } }
    const advice = 'qpdf does not start. Install the package qpdf.'
    return (await askVersion(parts, box, /qpdf version \d+(\.\d+)*/, advice)).version
  },
})
