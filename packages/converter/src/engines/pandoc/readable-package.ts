import { withUpload } from '../../catalog/file-types/upload.ts'
import { bothEdits, editEach, editPackage, type PackageEdit } from '../../package/edit-package.ts'
import { openPackage } from '../../package/read-package.ts'
import { keptNotes } from './epub-notes.ts'
import { plainPaths } from './epub-paths.ts'
import { readableHtml } from './readable-html.ts'
import { shownText } from './text-boxes.ts'

// Changes what pandoc does not read in packages. Runs in a thread.

const chapters: PackageEdit = {
  reads: (name) => /\.x?html?$/.test(name),
  apply: editEach((chapter) => readableHtml(keptNotes(chapter))),
}

const edits = { docx: shownText, odt: shownText, epub: bothEdits(plainPaths, chapters) }

export type ReadablePackage = keyof typeof edits

export const isPackage = (format: string): format is ReadablePackage => Object.hasOwn(edits, format)

/** Writes the changed package to `target`; false where pandoc reads it as it is. */
export const makeReadable = (from: ReadablePackage, source: string, target: string): Promise<boolean> =>
  withUpload(source, (upload) =>
    openPackage(upload, async (archive) => (await editPackage(archive, target, edits[from])).isEdited),
  )
