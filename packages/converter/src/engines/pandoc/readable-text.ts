import { readFile, writeFile } from 'node:fs/promises'
import { readableHtml } from './readable-html.ts'
import { definitionsFor, readableTex } from './readable-tex.ts'
import { shownDirectives } from './sphinx-directives.ts'

// Changes what pandoc does not read in texts. Byte by byte, because what changes is ASCII.

const changes = {
  html: readableHtml,
  latex(text: string) {
    const readable = readableTex(text)
    return definitionsFor([readable]) + readable
  },
  rst: shownDirectives,
}

export type ReadableText = keyof typeof changes

export const isChangedText = (format: string): format is ReadableText => Object.hasOwn(changes, format)

/** Writes the changed text to `target`; false where pandoc reads it as it is. Runs in a thread. */
export async function makeTextReadable(from: ReadableText, source: string, target: string): Promise<boolean> {
  const text = await readFile(source, 'latin1')
  const readable = changes[from](text)
  if (readable === text) return false
  await writeFile(target, readable, { encoding: 'latin1', flag: 'wx', mode: 0o644 })
  return true
}
