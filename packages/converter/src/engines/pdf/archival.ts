import { editLimits, editPdf, type PdfProgram } from '../edit-pdf.ts'
import type { EngineRun } from '../engine.ts'

// PDF to PDF/A: pikepdf edits the objects of the PDF, so the pages stay as they are, and fontTools reads and subsets its
// fonts. The program checks its result clause by clause, and reports a PDF that cannot conform. Scanned pages get a layer
// of the text that the PDF engine recognised before: the program adds it. The input is any path in the sandbox.

const program: PdfProgram = {
  name: 'make_pdfa',
  limits: editLimits,
  sentences: {
    tooLong: 'The PDF took longer to convert than a conversion may take. Split it.',
    tooLarge: 'The PDF becomes larger than the service allows. Split it.',
    outOfMemory: 'The PDF needs more memory than a conversion may use. Split it.',
  },
  fallback: 'The PDF cannot become PDF/A.',
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
  const text = layer === undefined ? [] : [`--text=${layer}`]
  const untrustedStdout = await editPdf(run, program, [input, `/out/${outputName}`, standard, ...text])
  const changes = /^\{"changes":\[([a-z",]{0,200})\]\}$/m.exec(untrustedStdout)?.[1] ?? ''
  run.note({
    remarks: Object.keys(remarks)
      .filter((word) => changes.includes(`"${word}"`))
      .map((word) => remarks[word] ?? ''),
  })
  return outputName
}
