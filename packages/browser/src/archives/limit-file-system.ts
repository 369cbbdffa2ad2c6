import type { SevenZipModule } from '7z-wasm'
import { BrowserConversionError } from '../failure.ts'

export interface UnpackLimits {
  bytes: number
  /** Files and folders. */
  entries: number
}

type FileSystem = SevenZipModule['FS'] & { mknod(...args: unknown[]): unknown }

export const tooLarge = ({ bytes, entries }: UnpackLimits) =>
  new BrowserConversionError(
    'too-large',
    `Unpacked, the archive has more than ${bytes / 1024 / 1024} MB or ${entries.toLocaleString('en')} files.`,
  )

/**
 * Makes writes fail beyond the limits, independent of the sizes that an archive declares. `check` throws if one did.
 */
export function limitFileSystem(module: SevenZipModule, limits: UnpackLimits): { check(): void } {
  const FS = module.FS as FileSystem
  const { write, mknod } = FS
  let [bytes, entries] = [0, 0]
  const check = () => {
    if (bytes > limits.bytes || entries > limits.entries) throw tooLarge(limits)
  }
  FS.write = (stream, buffer, offset, length, ...rest) => {
    bytes += length
    check()
    return write.call(FS, stream, buffer, offset, length, ...rest)
  }
  FS.mknod = (...args) => {
    entries++
    check()
    return mknod.apply(FS, args)
  }
  return { check }
}
