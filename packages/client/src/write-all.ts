/** The members of a FileHandle that are used. */
interface Writable {
  write(piece: Uint8Array, offset: number, length: number): Promise<{ bytesWritten: number }>
}

/** A single write may stop short. */
export async function writeAll(file: Writable, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.byteLength; ) {
    at += (await file.write(piece, at, piece.byteLength - at)).bytesWritten
  }
}
