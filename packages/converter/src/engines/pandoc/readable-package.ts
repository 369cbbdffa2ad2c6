import { withUpload } from '../../catalog/file-types/upload.ts'
import { editPackage } from '../../package/edit-package.ts'
import { openPackage } from '../../package/read-package.ts'
import { plainPaths } from './epub-paths.ts'
import { shownText } from './text-boxes.ts'

// Changes what pandoc does not read in packages. Runs in a thread.

const edits = { docx: shownText, odt: shownText, epub: plainPaths }

export type ReadablePackage = keyof typeof edits

export const isPackage = (format: string): format is ReadablePackage => Object.hasOwn(edits, format)

/** Writes the changed package to `target`; false where pandoc reads it as it is. */
export const makeReadable = (from: ReadablePackage, source: string, target: string): Promise<boolean> =>
  withUpload(source, (upload) =>
    openPackage(upload, async (archive) => (await editPackage(archive, target, edits[from])).isEdited),
  )
