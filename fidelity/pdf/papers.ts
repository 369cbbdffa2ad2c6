import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readMarkdown } from '../../packages/pdf/evidence/flow.ts'
import { scoreFlow } from '../../packages/pdf/evidence/flow-score.ts'
import { makePaper, type Paper } from '../../packages/pdf/evidence/papers.ts'
import { convertPdf } from '../../packages/pdf/src/convert.ts'
import { type Report, report } from './report.ts'
import { type FileScores, summarise } from './scores.ts'
import { pandocTex, typeset } from './typeset.ts'

// 120 papers, set by pdfLaTeX, LuaLaTeX and pandoc, against what they were made from. The folder keeps what was set:
// a paper that has not changed is not set again.

const count = 120

const drawing: Report = {
  name: 'papers',
  title: 'Papers that TeX set: agreement with the truth (100 is the same)',
  drawn: new Set(
    ['headings', 'paragraphs', 'notes', 'listings', 'formulas', 'cells'].map((part) => `papers ${part}`),
  ),
}

export async function measurePapers(folder: string, keep: boolean): Promise<void> {
  await mkdir(folder, { recursive: true })
  const out: Record<string, FileScores> = {}
  for (let seed = 1; seed <= count; seed++) {
    const paper = makePaper(seed)
    const pdf = await print(paper, folder)
    const markdown = Buffer.from(await convertPdf(await readFile(pdf), 'md')).toString('utf8')
    await writeFile(join(folder, `${paper.name}.md`), markdown)
    out[paper.name] = { ...scoreFlow(paper.truth, readMarkdown(markdown)) }
  }
  await writeFile(join(folder, 'scores.json'), JSON.stringify(out, undefined, 1))
  await report(drawing, summarise('papers', out), keep)
}

async function print({ name, tex, typesetter, variables }: Paper, folder: string): Promise<string> {
  const [source, body, pdf] = ['tex', 'body', 'pdf'].map((end) => join(folder, `${name}.${end}`)) as [
    string,
    string,
    string,
  ]
  const before = await readFile(body, 'utf8').catch(() => undefined)
  const own = [...variables, tex].join('\n')
  if (before === own) return pdf
  await writeFile(source, tex)
  if (typesetter === 'pandoc') await pandocTex('latex', source, variables, source)
  await typeset(typesetter === 'lualatex' ? 'lualatex' : 'pdflatex', source)
  await writeFile(body, own)
  return pdf
}
