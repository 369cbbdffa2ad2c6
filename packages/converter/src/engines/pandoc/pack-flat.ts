import { readFile } from 'node:fs/promises'
import { pictureKind } from '../../catalog/file-types/picture-kind.ts'
import { detectVariant } from '../../catalog/file-types/variant.ts'
import { writeArchive } from '../../package/rewrite-archive.ts'

// Pandoc reads OpenDocument only as a package. A flat XML file is converted to a package: the file is used as content
// and as styles, and its pictures become files of the package.

/** Writes a package to `target`; false where the source is one already. */
export async function packFlat(source: string, target: string): Promise<boolean> {
  if ((await detectVariant(source)) === undefined) return false
  const { content, pictures } = takePictures(await readFile(source))
  const parts = new Map<string, string | Buffer>([
    ['mimetype', 'application/vnd.oasis.opendocument.text'],
    ['content.xml', content],
    ['styles.xml', content.includes('<office:styles') ? content : noStyles],
    ...pictures,
  ])
  await writeArchive(target, parts)
  return true
}

/** A document may have no styles; pandoc requires the part anyway. */
const noStyles =
  '<office:document-styles xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><office:styles/></office:document-styles>'

interface Packed {
  content: Buffer
  pictures: [name: string, data: Buffer][]
}

const [dataStart, dataEnd, image] = ['<office:binary-data>', '</office:binary-data>', '<draw:image']

/** Byte by byte, independent of the encoding: the delimiters are ASCII. */
function takePictures(flat: Buffer): Packed {
  const pieces: Buffer[] = []
  const pictures: Packed['pictures'] = []
  let done = 0
  for (;;) {
    const at = flat.indexOf(dataStart, done)
    const end = at === -1 ? -1 : flat.indexOf(dataEnd, at)
    if (end === -1) break
    const before = flat.subarray(done, at)
    const element = before.lastIndexOf(image)
    const base64 = flat.toString('latin1', at + dataStart.length, end)
    const kind = pictureKind(base64)
    if (element !== -1 && kind) {
      const name = `Pictures/${pictures.length + 1}.${kind.extension}`
      pictures.push([name, Buffer.from(base64, 'base64')])
      const inside = element + image.length
      pieces.push(before.subarray(0, inside), Buffer.from(` xlink:href="${name}"`), before.subarray(inside))
    } else {
      pieces.push(before)
    }
    done = end + dataEnd.length
  }
  return { content: Buffer.concat([...pieces, flat.subarray(done)]), pictures }
}
