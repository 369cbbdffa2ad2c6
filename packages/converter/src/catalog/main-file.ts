import { posix } from 'node:path'
import { failed } from '../failure.ts'
import type { FormatWithParts } from './opened-first.ts'

// Which file of an archive is the document, and which are its parts. Candidates are the files with the format's
// extension in the directory nearest to the root. A single candidate is the document; among several, it is the one
// named index, main or readme. For LaTeX, files with a \documentclass are preferred.

const endings: Readonly<Record<FormatWithParts, { label: string; of: readonly string[] }>> = {
  html: { label: 'HTML', of: ['html', 'htm', 'xhtml'] },
  md: { label: 'Markdown', of: ['md', 'markdown'] },
  latex: { label: 'LaTeX', of: ['tex', 'ltx', 'latex'] },
  rst: { label: 'RST', of: ['rst', 'rest'] },
}

const mainNames = ['index', 'main', 'readme']

const depthOf = (path: string): number => path.split('/').length

/** `textOf` returns the text of a file, as much as is needed. */
export function findMain(
  paths: readonly string[],
  format: FormatWithParts,
  textOf: (path: string) => string,
): string {
  const { label, of } = endings[format]
  const named = paths.filter((path) => of.includes(posix.extname(path).slice(1).toLowerCase()))
  const whole = format === 'latex' ? named.filter((path) => startsDocument(textOf(path))) : named
  const fitting = whole.length > 0 ? whole : named
  const top = Math.min(...fitting.map(depthOf))
  const nearest = fitting.filter((path) => depthOf(path) === top)
  const wanted = of.map((ending) => `.${ending}`).join(', ')
  const [first, ...others] = nearest
  if (first === undefined)
    throw failed.wrongFormat(
      `The ZIP archive holds no ${label} file (${wanted}). Put the document into it, beside its pictures and parts.`,
    )
  if (others.length === 0) return first
  const called = mainNames.flatMap((name) =>
    nearest.filter((path) => posix.parse(path).name.toLowerCase() === name),
  )
  if (called[0] !== undefined) return called[0]
  throw failed.wrongFormat(
    `The ZIP archive holds ${nearest.length} ${label} files side by side, and none of them is called index, main or readme. Name the one that is the document index.${of[0]}.`,
  )
}

/** Not in a comment, and not the head of a part that names its document. */
const startsDocument = (text: string): boolean =>
  /^[^%\n]*\\document(?:class|style)\b(?!\s*\[[^\]]*\]\s*\{subfiles\})/m.test(text)
