import { changeEach, editPackage } from '../edit-package.ts'
import { keepInWordXml, wordParts } from '../keep-dates/keep-dates.ts'
import { nameBulletFonts, nameSignFonts } from './signs.ts'

const numbering = 'word/numbering.xml'

/** What Word shows and LibreOffice does not. Writes a copy to `target`; false when the document needs none. */
export const asWordShows = (source: string, target: string): Promise<boolean> =>
  editPackage(
    source,
    target,
    (name) => name === numbering || wordParts.includes(name),
    changeEach((xml, name) =>
      name === numbering ? nameBulletFonts(xml) : nameSignFonts(keepInWordXml(xml)),
    ),
  )
