import { editEach, type PackageEdit } from '../../../package/edit-package.ts'
import { keepInWordXml, wordParts } from '../keep-dates/keep-dates.ts'
import { nameBulletFonts, nameSignFonts } from './signs.ts'

const numbering = 'word/numbering.xml'

/** What Word shows and LibreOffice does not. */
export const wordEdit: PackageEdit = {
  reads: (name) => name === numbering || wordParts.includes(name),
  apply: editEach((xml, name) =>
    name === numbering ? nameBulletFonts(xml) : nameSignFonts(keepInWordXml(xml)),
  ),
}
