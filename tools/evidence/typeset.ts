import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Paper } from './papers.ts'

// TeX is not part of the set-up: this needs Debian's texlive-latex-recommended, texlive-latex-extra, texlive-luatex,
// lmodern and texlive-fonts-recommended.

const run = promisify(execFile)

/** Sets `x.tex` as `x.pdf`, twice, so that what points at pages and numbers is right. The same source gives the same bytes. */
async function typeset(engine: 'pdflatex' | 'lualatex', file: string): Promise<void> {
  const env = { ...process.env, SOURCE_DATE_EPOCH: '0', FORCE_SOURCE_DATE: '1' }
  const args = ['-interaction=nonstopmode', '-halt-on-error', '-no-shell-escape', basename(file)]
  for (let pass = 0; pass < 2; pass++)
    await run(engine, args, { cwd: dirname(file), env, timeout: 120_000, maxBuffer: 16 * 1024 * 1024 })
}

/** Replaces the source by the standalone one that pandoc writes of it. */
async function rewriteByPandoc(file: string, variables: readonly string[]): Promise<void> {
  const options = variables.flatMap((each) => ['-V', each])
  const { stdout } = await run('pandoc', ['-f', 'latex', '-t', 'latex', '-s', ...options, file], {
    maxBuffer: 64 * 1024 * 1024,
  })
  await writeFile(file, stdout)
}

/** Writes `name.pdf` into the folder. */
export async function printPaper(
  { name, tex, typesetter, variables }: Paper,
  folder: string,
): Promise<string> {
  const source = join(folder, `${name}.tex`)
  await writeFile(source, tex)
  if (typesetter === 'pandoc') await rewriteByPandoc(source, variables)
  await typeset(typesetter === 'lualatex' ? 'lualatex' : 'pdflatex', source)
  return join(folder, `${name}.pdf`)
}
