import { readFileSync, writeFileSync } from 'node:fs'
import { convertPdf } from './convert.ts'
import { ConversionFailure } from './failure.ts'

// pdf-to-docx IN.pdf OUT.docx

async function main(): Promise<number> {
  const [input, output] = process.argv.slice(2)
  if (!input || !output) {
    process.stderr.write('usage: pdf-to-docx IN.pdf OUT.docx\n')
    return 2
  }
  try {
    const result = await convertPdf(readFileSync(input), {
      onProgress: (fraction) => process.stdout.write(`${JSON.stringify({ progress: Number(fraction.toFixed(3)) })}\n`),
    })
    writeFileSync(output, result)
    return 0
  } catch (error) {
    if (!(error instanceof ConversionFailure)) throw error
    process.stderr.write(`${JSON.stringify({ failure: error.word, sentence: error.message })}\n`)
    return 3
  }
}

process.exitCode = await main()
