import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

// Properties of a PDF, read with poppler.

const run = promisify(execFile)
const maxBuffer = 64 * 1024 * 1024

export const pdfText = async (path: string): Promise<string> =>
  (await run('pdftotext', ['-layout', path, '-'], { maxBuffer })).stdout

export interface PdfFacts {
  pages: number
  tagged: boolean
  /** Page sizes, in points. */
  sizes: { width: number; height: number }[]
}

export async function pdfFacts(path: string): Promise<PdfFacts> {
  const { stdout } = await run('pdfinfo', ['-l', '10000', path], { maxBuffer })
  return {
    pages: Number(/^Pages:\s+(\d+)/m.exec(stdout)?.[1]),
    tagged: /^Tagged:\s+yes/m.test(stdout),
    sizes: [...stdout.matchAll(/^Page\s+\d+ size:\s+([\d.]+) x ([\d.]+)/gm)].map(([, width, height]) => ({
      width: Number(width),
      height: Number(height),
    })),
  }
}
