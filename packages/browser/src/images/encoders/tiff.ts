import UTIF from 'utif2'

const extraSamples = 't338'
const unassociatedAlpha = 2
const software = 't305'

/** Without compression, which every program reads. */
export function tiffFile({ data, width, height }: ImageData): Blob {
  const metadata = { [extraSamples]: [unassociatedAlpha], [software]: ['Kiln'] }
  const bytes = UTIF.encodeImage(new Uint8Array(data.buffer), width, height, metadata as never)
  return new Blob([bytes], { type: 'image/tiff' })
}
