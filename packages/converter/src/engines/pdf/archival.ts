import { fileURLToPath } from 'node:url'
import type { EngineRun } from '../engine.ts'
import type { EngineSentences } from '../judge-ending.ts'
import { failureOfOwnProgram } from '../reported-failure.ts'

// PDF to PDF/A, by a program in Python (packages/converter/pdfa): pikepdf edits the objects of the PDF, so the pages stay
// as they are, and fontTools reads and subsets its fonts. The program checks its result clause by clause, and reports a
// PDF that cannot conform. Scanned pages get a layer of the text that the PDF engine recognised before: the program adds
// it. The input is any path in the sandbox.

export const pdfaFolder = {
  from: fileURLToPath(new URL('../../../pdfa', import.meta.url)),
  to: '/kiln/pdfa',
}

const megabyte = 1024 * 1024
const limits = {
  wallSeconds: 300,
  cpuSeconds: 300,
  processes: 8,
  logBytes: 64 * 1024,
  memoryBytes: 4096 * megabyte,
  fileBytes: 512 * megabyte,
  diskBytes: 512 * megabyte,
}

const sentences: EngineSentences = {
  tooLong: 'The PDF took longer to convert than a conversion may take. Split it.',
  tooLarge: 'The PDF becomes larger than the service allows. Split it.',
  outOfMemory: 'The PDF needs more memory than a conversion may use. Split it.',
}

const outputName = 'output.pdf'

/** The program's keywords for removed or replaced content, and the sentence of the report for each. */
const remarks: Readonly<Record<string, string>> = {
  scripts: 'Scripts and actions of the PDF were removed: PDF/A does not allow them.',
  attachments: 'Attached files were removed: only PDF/A-3 may hold them.',
  signatures: 'Digital signatures were removed: they do not hold for the new file.',
  fonts: 'Fonts that the PDF did not hold were replaced by fonts of the same widths.',
}

/** `layer` is the path of the recognised text in the sandbox. */
export async function makeArchival(
  run: EngineRun,
  input: string,
  standard: string,
  layer?: string,
): Promise<string> {
  const { inFolder, outFolder, signal } = run
  const result = await run.sandbox.run({
    program: 'python3',
    // Nothing of the environment, no packages of a user, and no compiled files.
    args: [
      '-E',
      '-s',
      '-B',
      `${pdfaFolder.to}/make_pdfa.py`,
      input,
      `/out/${outputName}`,
      standard,
      ...(layer === undefined ? [] : [`--text=${layer}`]),
    ],
    readOnly: [pdfaFolder],
    limits,
    inFolder,
    outFolder,
    signal,
  })
  const ended = { engine: 'make_pdfa', sentences, signal }
  const failure = failureOfOwnProgram(result, ended, 'The PDF cannot become PDF/A.')
  if (failure) throw failure
  const changes = /^\{"changes":\[([a-z",]{0,200})\]\}$/m.exec(result.untrustedStdout)?.[1] ?? ''
  run.note({
    remarks: Object.keys(remarks)
      .filter((word) => changes.includes(`"${word}"`))
      .map((word) => remarks[word] ?? ''),
  })
  return outputName
}
