import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Compares in constant time, independent of the length. */
export function hasBearerToken({ headers }: Pick<IncomingMessage, 'headers'>, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  return timingSafeEqual(digest(given), digest(token))
}
