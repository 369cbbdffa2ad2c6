import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { withUpload } from '../../catalog/file-types/upload.ts'
import { bothEdits, editPackage } from '../../package/edit-package.ts'
import { openPackage } from '../../package/read-package.ts'
import { readableChapters } from './epub-chapters.ts'
import { plainPaths } from './epub-paths.ts'
import type { InterchangeFormat } from './formats.ts'
import { packFlat } from './pack-flat.ts'
import { readableHtml } from './readable-html.ts'
import { readableMarkdown } from './readable-markdown.ts'
import { definitionsFor, readableTex } from './readable-tex.ts'
import { shownDirectives } from './sphinx-directives.ts'
import { shownText } from './text-boxes.ts'

// Changes what pandoc does not read. Runs in a thread.

const texts = {
  md: readableMarkdown,
  html: readableHtml,
  latex(text: string) {
    const readable = readableTex(text, true)
    return definitionsFor([readable]) + readable
  },
  rst: shownDirectives,
}
const packages = { docx: shownText, odt: shownText, epub: bothEdits(plainPaths, readableChapters) }

/** The name of the changed file in `folder`; undefined where pandoc reads the source as it is. */
export async function makeReadable(
  from: InterchangeFormat,
  source: string,
  folder: string,
): Promise<string | undefined> {
  const target = join(folder, `readable.${from}`)
  if (from === 'md' || from === 'html' || from === 'latex' || from === 'rst') {
    // Byte by byte, because what changes is ASCII, except for entities of HTML.
    const encoding = from === 'html' ? 'utf8' : 'latin1'
    const text = await readFile(source, encoding)
    const readable = texts[from](text)
    if (readable === text) return undefined
    await writeFile(target, readable, { encoding, flag: 'wx', mode: 0o644 })
    return basename(target)
  }
  const packed = join(folder, 'packed.odt')
  const isPacked = from === 'odt' && (await packFlat(source, packed))
  const isEdited = await withUpload(isPacked ? packed : source, (upload) =>
    openPackage(upload, async (archive) => (await editPackage(archive, target, packages[from])).isEdited),
  )
  if (isEdited) return basename(target)
  return isPacked ? basename(packed) : undefined
}
