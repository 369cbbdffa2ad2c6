import { detectLegacy } from './detect-legacy.ts'

/** A short text in any encoding; undefined when the bytes are not text. */
export async function decodeText(bytes: Buffer): Promise<string | undefined> {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return new TextDecoder((await detectLegacy(bytes)).name).decode(bytes)
  }
}
