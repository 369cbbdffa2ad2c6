import { readFile } from 'node:fs/promises'
import type { EngineRun } from '../engine.ts'
import { type PandocJob, runPandoc, writeStyleElement } from './run-pandoc.ts'

export interface HtmlOptions extends Omit<PandocJob, 'target'> {
  /** Host path of a CSS file; it becomes a <style> element, with the house style behind it; the only style but for code colours. */
  styleSheet: string
}

/**
 * Turns the run's input (md, epub, rst, latex, docx or odt) into one HTML file in its out folder:
 * pictures as data: URIs, formulas as MathML, one style sheet, no script, nothing to fetch.
 * Throws ConversionFailed like an engine does. Returns the file's name; the next step opens it as
 * untrusted. The page is pandoc's: <header id="title-block-header"> with .title, .subtitle, .author and
 * .date where the document has them, <nav id="TOC"> with `--toc`, then the body.
 */
export async function toSelfContainedHtml(
  run: EngineRun,
  { styleSheet, options, ...job }: HtmlOptions,
): Promise<string> {
  const sheets = [await readFile(styleSheet, 'utf8'), run.style.css ?? '']
  const style = await writeStyleElement(run.outFolder, sheets.join('\n'))
  const fixed = ['--mathml', '--wrap=preserve', '--include-in-header', style]
  await runPandoc(run, { ...job, target: 'html', options: [...fixed, ...options] })
  return job.outputName
}
