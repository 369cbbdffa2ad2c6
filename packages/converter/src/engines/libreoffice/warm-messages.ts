// Messages of the fork server (native/office/office.c): a length of four bytes, little-endian, then NUL-terminated
// fields.

const headBytes = 4
const longestMessage = 64 * 1024

export function encodeMessage(fields: readonly string[]): Buffer {
  if (fields.some((field) => field.includes('\0'))) throw new Error('A field of a message holds a NUL.')
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(''), 'utf8')
  const head = Buffer.alloc(headBytes)
  head.writeUInt32LE(body.length)
  return Buffer.concat([head, body])
}

/** Buffers incoming bytes and calls back for every complete message. */
export function createDecoder(onMessage: (fields: string[]) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= headBytes) {
      const length = rest.readUInt32LE()
      if (length > longestMessage) throw new Error('The fork server sent a message that is too long.')
      if (rest.length < headBytes + length) return
      const fields = rest
        .toString('utf8', headBytes, headBytes + length)
        .split('\0')
        .slice(0, -1)
      rest = rest.subarray(headBytes + length)
      onMessage(fields)
    }
  }
}
