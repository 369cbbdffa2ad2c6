import { fieldsOf, iwaObjects, unpackIwa } from '../../catalog/file-types/iwa.ts'
import { openIndex } from '../../catalog/file-types/iwork.ts'
import type { Upload } from '../../catalog/file-types/upload.ts'
import type { FormatName } from '../../catalog/pairs.ts'
import type { Content } from './content.ts'

// The text of documents of Pages, Numbers and Keynote since 2013. LibreOffice does not read every version of them, and
// produces a blank page for unsupported ones. Older versions also contain the texts of their templates, so that a
// comparison proves nothing.

const maxParts = 40
const partBytes = 4 * 1024 * 1024
/** Not templates and style sheets, whose texts are not shown. */
const textPart = /^Index\/(?:Document|Slide[^/]*|Tables\/DataList[^/]*)\.iwa$/

export const readIwork = (upload: Upload, from: FormatName): Promise<Content> =>
  openIndex(upload, async (archive) => {
    const texts: string[] = []
    for (const entry of archive.entries.filter(({ name }) => textPart.test(name)).slice(0, maxParts)) {
      const bytes = await archive.readEntry(entry, partBytes)
      if (bytes) texts.push(...iwaTexts(unpackIwa(bytes, partBytes)))
    }
    // The notes of slides are among their texts.
    return { text: texts.join(' '), mayBeHidden: from === 'key' }
  })

/** Numbers of the messages and of their fields that hold texts. */
const storage = { type: 2001, text: 3 }
const tableStrings = { type: 6005, entry: 3, text: 3 }

function* iwaTexts(data: Buffer): Generator<string> {
  for (const { type, message } of iwaObjects(data)) {
    if (type === storage.type) yield* textsIn(message, storage.text)
    if (type !== tableStrings.type) continue
    for (const { number, value } of fieldsOf(message))
      if (number === tableStrings.entry && typeof value !== 'number') yield* textsIn(value, tableStrings.text)
  }
}

function* textsIn(message: Buffer, wanted: number): Generator<string> {
  for (const { number, value } of fieldsOf(message))
    if (number === wanted && typeof value !== 'number') yield value.toString('utf8')
}
