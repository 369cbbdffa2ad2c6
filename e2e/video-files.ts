// Moving pictures, made and read here without any program: GIF in, and just enough of MP4 and WebM
// to see what came out.

const word = (value: number) => [value & 255, value >> 8]

/**
 * An animated GIF with a gradient that moves. Its pixels are written uncompressed: codes of exactly
 * eight bits, with the table cleared before it could grow to nine.
 */
export const movingGif = (width: number, height: number, frames: number): Uint8Array<ArrayBuffer> => {
  const clear = 128
  const end = 129
  const bytes: number[] = [...Buffer.from('GIF89a'), ...word(width), ...word(height), 0xf6, 0, 0]
  for (let grey = 0; grey < 128; grey++) bytes.push(grey * 2, grey * 2, 255 - grey * 2)
  for (let frame = 0; frame < frames; frame++) {
    const codes: number[] = []
    for (let pixel = 0; pixel < width * height; pixel++) {
      if (pixel % 120 === 0) codes.push(clear)
      codes.push(((pixel % width) + Math.floor(pixel / width) + 3 * frame) % 128)
    }
    codes.push(end)
    bytes.push(0x21, 0xf9, 4, 0, ...word(4), 0, 0, 0x2c, 0, 0, 0, 0, ...word(width), ...word(height), 0, 7)
    for (let at = 0; at < codes.length; at += 255) {
      const block = codes.slice(at, at + 255)
      bytes.push(block.length, ...block)
    }
    bytes.push(0)
  }
  bytes.push(0x3b)
  return new Uint8Array(bytes)
}

const box = (data: Buffer, path: readonly string[]): Buffer | null => {
  const [name, ...rest] = path
  for (let at = 0; at + 8 <= data.length; ) {
    const size = data.readUInt32BE(at) || data.length - at
    if (size < 8) return null
    if (data.toString('latin1', at + 4, at + 8) === name) {
      const inside = data.subarray(at + 8, at + size)
      return rest.length === 0 ? inside : box(inside, rest)
    }
    at += size
  }
  return null
}

/** Picture size and duration of an MP4 file; throws when it is not an MP4 file. */
export const readMp4 = (bytes: Uint8Array): { width: number; height: number; seconds: number } => {
  const data = Buffer.from(bytes)
  const movie = box(data, ['moov', 'mvhd'])
  const track = box(data, ['moov', 'trak', 'tkhd'])
  if (box(data, ['ftyp']) === null || movie === null || track === null) throw new Error('not an MP4 file')
  return {
    width: track.readUInt32BE(track.length - 8) / 65_536,
    height: track.readUInt32BE(track.length - 4) / 65_536,
    seconds: movie.readUInt32BE(16) / movie.readUInt32BE(12),
  }
}

export const isWebm = (bytes: Uint8Array): boolean => {
  const data = Buffer.from(bytes)
  return data.readUInt32BE(0) === 0x1a45dfa3 && data.subarray(0, 64).includes('webm')
}
