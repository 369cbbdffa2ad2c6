// The files inside a document of Pages, Numbers or Keynote since 2013 (`Index/*.iwa`): objects as Protocol Buffers
// messages, in chunks that are packed with Snappy. A chunk has a zero byte and its length, three bytes, before it.

/** Unpacks up to `maxBytes`; stops at damaged data. */
export function unpackIwa(packed: Buffer, maxBytes: number): Buffer {
  const chunks: Buffer[] = []
  let total = 0
  for (let at = 0; at + 4 <= packed.length && packed[at] === 0 && total < maxBytes; ) {
    const end = at + 4 + packed.readUIntLE(at + 1, 3)
    const chunk = unpackSnappy(packed.subarray(at + 4, end), maxBytes - total)
    chunks.push(chunk)
    total += chunk.length
    at = end
  }
  return Buffer.concat(chunks)
}

/** One block: its length, then literal bytes and references to bytes before. */
function unpackSnappy(packed: Buffer, maxBytes: number): Buffer {
  const length = readVarint(packed, 0)
  if (!length) return Buffer.alloc(0)
  const out = Buffer.alloc(Math.min(length.value, maxBytes))
  let filled = 0
  for (let at = length.next; at < packed.length && filled < out.length; ) {
    const tag = packed[at] as number
    const kind = tag & 3
    at += 1
    if (kind === 0) {
      const extra = Math.max(0, (tag >> 2) - 59)
      if (at + extra > packed.length) break
      const count = (extra === 0 ? tag >> 2 : packed.readUIntLE(at, extra)) + 1
      at += extra
      filled += packed.copy(out, filled, at, Math.min(packed.length, at + count))
      at += count
      continue
    }
    const offsetBytes = [0, 1, 2, 4][kind] as number
    if (at + offsetBytes > packed.length) break
    const low = packed.readUIntLE(at, offsetBytes)
    const offset = kind === 1 ? ((tag >> 5) << 8) | low : low
    const count = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1
    at += offsetBytes
    if (offset === 0 || offset > filled) break
    // The two stretches may overlap, which repeats bytes.
    for (const end = Math.min(out.length, filled + count); filled < end; filled += 1)
      out[filled] = out[filled - offset] as number
  }
  return out.subarray(0, filled)
}

export interface IwaObject {
  type: number
  message: Buffer
}

/** The objects of an unpacked file, each behind a header that names its parts. */
export function* iwaObjects(data: Buffer): Generator<IwaObject> {
  for (let at = 0; at < data.length; ) {
    const header = readVarint(data, at)
    if (!header) return
    at = header.next + header.value
    for (const part of fieldsOf(data.subarray(header.next, at))) {
      if (part.number !== 2 || typeof part.value === 'number') continue
      const numbers = new Map<number, number>()
      for (const { number, value } of fieldsOf(part.value))
        if (typeof value === 'number' && !numbers.has(number)) numbers.set(number, value)
      const length = numbers.get(3) ?? 0
      yield { type: numbers.get(1) ?? 0, message: data.subarray(at, at + length) }
      at += length
    }
  }
}

export interface Field {
  number: number
  value: number | Buffer
}

/** The numbers and the bytes of a Protocol Buffers message; stops at damaged data. */
export function* fieldsOf(message: Buffer): Generator<Field> {
  for (let at = 0; at < message.length; ) {
    const key = readVarint(message, at)
    if (!key) return
    const [number, wireType] = [Math.floor(key.value / 8), key.value % 8]
    at = key.next
    if (wireType === 0) {
      const found = readVarint(message, at)
      if (!found) return
      yield { number, value: found.value }
      at = found.next
    } else if (wireType === 2) {
      const length = readVarint(message, at)
      if (!length || length.next + length.value > message.length) return
      at = length.next + length.value
      yield { number, value: message.subarray(length.next, at) }
    } else if (wireType === 1 || wireType === 5) at += wireType === 1 ? 8 : 4
    else return
  }
}

const maxVarintBytes = 10

function readVarint(bytes: Buffer, start: number): { value: number; next: number } | undefined {
  let value = 0
  for (let at = start; at < bytes.length && at < start + maxVarintBytes; at += 1) {
    const byte = bytes[at] as number
    value += (byte & 0x7f) * 2 ** (7 * (at - start))
    if (byte < 0x80) return { value, next: at + 1 }
  }
  return undefined
}
