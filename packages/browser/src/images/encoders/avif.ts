import encoderModule from '@jsquash/avif/codec/enc/avif_enc.js'
import wasmUrl from '@jsquash/avif/codec/enc/avif_enc.wasm?url'
import { defaultOptions } from '@jsquash/avif/meta.js'
import { BrowserConversionError } from '../../failure.ts'

/** AV1 with libaom, in one thread: threads need headers that a page rarely has. */
export async function avifFile({ data, width, height }: ImageData, quality: number): Promise<Blob> {
  const wasmBinary = await (await fetch(wasmUrl)).arrayBuffer()
  const encoder = await encoderModule({ noInitialRun: true, wasmBinary })
  const options = { ...defaultOptions, quality: Math.round(100 * quality) }
  const output = encoder.encode(new Uint8Array(data.buffer), width, height, options)
  if (!output) throw new BrowserConversionError('internal', 'The browser lacks memory for this image.')
  return new Blob([output as Uint8Array<ArrayBuffer>], { type: 'image/avif' })
}
