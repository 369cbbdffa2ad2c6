/** The text; undefined when the bytes are not valid in this encoding. In a part of a text, the last character may be incomplete. */
export function decodeStrictly(bytes: Uint8Array, encoding: string, isPart = false): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isPart })
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
