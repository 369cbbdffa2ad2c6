import { mkdir, readFile } from 'node:fs/promises'
import { convertPdf } from '../../../packages/pdf/src/convert.ts'
import { readMarkdown } from '../../evidence/flow.ts'
import { scoreFlow } from '../../evidence/flow-score.ts'
import { makePaper } from '../../evidence/papers.ts'
import { printPaper } from '../../evidence/typeset.ts'
import { type Report, report } from './report.ts'
import { type FileScores, summarise } from './scores.ts'

// 120 papers, set by pdfLaTeX, LuaLaTeX and pandoc, against what they were made from.

const count = 120

const drawing: Report = {
  name: 'papers',
  title: 'Papers that TeX set: agreement with the truth (100 is the same)',
  drawn: new Set(
    ['headings', 'paragraphs', 'notes', 'listings', 'formulas', 'cells'].map((part) => `papers ${part}`),
  ),
}

/** `place` is for the papers, and is made where it is not there; they stay in it. */
export async function measurePapers(place: string, keep: boolean): Promise<void> {
  await mkdir(place, { recursive: true })
  const out: Record<string, FileScores> = {}
  for (let seed = 1; seed <= count; seed++) {
    const paper = makePaper(seed)
    const pdf = await readFile(await printPaper(paper, place))
    const markdown = Buffer.from(await convertPdf(pdf, 'md')).toString('utf8')
    out[paper.name] = { ...scoreFlow(paper.truth, readMarkdown(markdown)) }
  }
  await report(drawing, summarise('papers', out), keep)
}
