import { withUpload } from '../../catalog/file-types/upload.ts'
import { editEach, editPackage, type PackageEdit } from '../../package/edit-package.ts'
import { editXml } from '../../package/edit-xml.ts'
import { openPackage } from '../../package/read-package.ts'

// Pandoc does not read the text of boxes and shapes. It is moved behind the paragraph that holds the shape. Runs in a
// thread.

/** Writes the changed package to `target`; false where there is no such text. */
export const moveTextBoxes = (source: string, target: string): Promise<boolean> =>
  withUpload(source, (upload) =>
    openPackage(upload, async (archive) => (await editPackage(archive, target, edit)).isEdited),
  )

const edit: PackageEdit = {
  reads: (name) => /^(?:content|word\/(?:document\d*|footnotes|endnotes))\.xml$/.test(name),
  apply: editEach((xml) => (/<(?:w:txbxContent|draw:)/.test(xml) ? withTextBehind(xml) : xml)),
}

const boxes = /^(?:w:txbxContent|draw:(?:text-box|custom-shape|rect|ellipse|circle|path|polygon|caption))$/
const paragraph = /^(?:w:p|text:[ph])$/
/** Has the same text again, for older programs. */
const fallback = 'mc:Fallback'

export function withTextBehind(xml: string): string {
  let texts: string[] = []
  let [depth, paragraphs, fallbacks] = [0, 0, 0]
  return editXml(xml, {
    open({ name }) {
      if (name === fallback) fallbacks += 1
      if (boxes.test(name)) depth += 1
      if (depth === 0 && paragraph.test(name)) paragraphs += 1
    },
    close({ name, end: start }, { start: end, end: after }, editor) {
      if (name === fallback) fallbacks -= 1
      if (boxes.test(name)) {
        depth -= 1
        const text = editor.source(start, end)
        // A picture and its caption, which pandoc reads.
        if (depth > 0 || text.includes('<draw:image')) return
        if (fallbacks === 0) texts.push(text)
        editor.replace(start, end, '')
      }
      if (depth > 0 || !paragraph.test(name)) return
      paragraphs -= 1
      if (paragraphs > 0 || texts.length === 0) return
      editor.replace(after, after, texts.join(''))
      texts = []
    },
  })
}
