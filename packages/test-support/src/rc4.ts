/** RC4 from the start of its stream. */
export function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = [...Array(256).keys()]
  let j = 0
  const swap = (a: number, b: number) => {
    const [x, y] = [state[a], state[b]] as [number, number]
    state[a] = y
    state[b] = x
  }
  for (let i = 0; i < 256; i += 1) {
    j = (j + (state[i] as number) + (key[i % key.length] as number)) % 256
    swap(i, j)
  }
  let i = 0
  j = 0
  return Buffer.from(
    bytes.map((byte) => {
      i = (i + 1) % 256
      j = (j + (state[i] as number)) % 256
      swap(i, j)
      return byte ^ (state[((state[i] as number) + (state[j] as number)) % 256] as number)
    }),
  )
}
