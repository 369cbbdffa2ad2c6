import UTIF from 'utif2'
import { damaged } from '../../failure.ts'
import { checkSize } from '../declared-size.ts'

const [widthTag, heightTag] = ['t256', 't257'] as const

/** The first page of a TIFF file. */
export async function decodeTiff(file: Blob): Promise<ImageData> {
  const bytes = await file.arrayBuffer()
  const page = firstPage(bytes)
  const [width, height] = [widthTag, heightTag].map((tag) => Number((page[tag] as number[])[0])) as [
    number,
    number,
  ]
  checkSize({ width, height })
  try {
    UTIF.decodeImage(bytes, page)
    const pixels = new Uint8ClampedArray(UTIF.toRGBA8(page).buffer as ArrayBuffer)
    return new ImageData(pixels, width, height)
  } catch {
    // The decoder throws any kind of error for a damaged file.
    throw damaged('tiff')
  }
}

function firstPage(bytes: ArrayBuffer): UTIF.IFD {
  let pages: UTIF.IFD[] = []
  try {
    pages = UTIF.decode(bytes)
  } catch {
    // Reported below, as a file without pages.
  }
  const page = pages.find((each) => each[widthTag] && each[heightTag])
  if (!page) throw damaged('tiff')
  return page
}
