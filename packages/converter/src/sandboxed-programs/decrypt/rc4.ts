// RC4, which OpenSSL no longer offers.

/** A cipher stream: each call continues where the last one ended. Works in place. */
export function rc4(key: Buffer): (bytes: Buffer) => Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  const swap = (a: number, b: number): void => {
    const kept = state[a] as number
    state[a] = state[b] as number
    state[b] = kept
  }
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + (state[i] as number) + (key[i % key.length] as number)) & 255
    swap(i, j)
  }
  let i = 0
  let j = 0
  return (bytes) => {
    for (let at = 0; at < bytes.length; at += 1) {
      i = (i + 1) & 255
      j = (j + (state[i] as number)) & 255
      swap(i, j)
      bytes[at] =
        (bytes[at] as number) ^ (state[((state[i] as number) + (state[j] as number)) & 255] as number)
    }
    return bytes
  }
}
