import libheif from 'libheif-js/libheif-wasm/libheif.js'
import wasmUrl from 'libheif-js/libheif-wasm/libheif.wasm?url'
import { damaged } from '../../failure.ts'
import { checkSize } from '../declared-size.ts'

/** The first image of a HEIC file, in its orientation. Only Safari decodes HEIC itself. */
export async function decodeHeic(file: Blob): Promise<ImageData> {
  const wasmBinary = await (await fetch(wasmUrl)).arrayBuffer()
  const module = libheif({ wasmBinary })
  const [image] = new module.HeifDecoder().decode(new Uint8Array(await file.arrayBuffer()))
  if (!image) throw damaged('heic')
  const [width, height] = [image.get_width(), image.get_height()]
  checkSize({ width, height })
  const pixels = new ImageData(width, height)
  return new Promise((resolve, reject) => {
    image.display(pixels, (shown) => (shown ? resolve(pixels) : reject(damaged('heic'))))
  })
}
