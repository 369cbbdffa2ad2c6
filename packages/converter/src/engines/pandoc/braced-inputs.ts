import { readFile, writeFile } from 'node:fs/promises'

// Pandoc reads `\input{part}`, but fails at `\input part`, which is TeX's own form and common in LaTeX too. Comments and
// verbatim text stay as they are.

const token =
  /\\begin\{(?<environment>(?:verbatim|lstlisting|minted|comment)\*?)\}[\s\S]*?(?:\\end\{\k<environment>\}|$)|\\verb\*?(?<delimiter>[^\w\s*])[^\n]*?(?:\k<delimiter>|\n|$)|\\input(?:\s+|(?="))(?<name>"[^"\n]+"|[^\s{}%\\"]+)|\\[A-Za-z@]+|\\[\s\S]|%[^\n]*/g

export const bracedInputs = (latex: string): string =>
  latex.replaceAll(token, (...match) => {
    const { name } = match.at(-1) as { name?: string }
    return name === undefined ? String(match[0]) : `\\input{${name}}`
  })

/** Writes the changed text to `target`; false where nothing changes. Runs in a thread. */
export async function braceInputs(source: string, target: string): Promise<boolean> {
  const text = await readFile(source, 'latin1')
  const braced = bracedInputs(text)
  if (braced === text) return false
  await writeFile(target, braced, { encoding: 'latin1', flag: 'wx', mode: 0o644 })
  return true
}
