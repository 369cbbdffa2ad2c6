import type { IncomingMessage } from 'node:http'
import { at } from '../at.ts'
import { type KilnError, refused } from '../errors.ts'

// A header that decides something must be in a request once. When there are two, Node takes the first for some names and
// joins both for others, and a proxy before us may have judged by the other one.
const decisive = new Set(['host', 'authorization', 'content-type', 'idempotency-key'])

export function findAmbiguousHeader({
  rawHeaders,
  headers,
  httpVersion,
}: IncomingMessage): KilnError | undefined {
  if (headers.host === undefined && httpVersion === '1.1')
    return refused('bad-request', 'The request has no Host header.')
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = at(rawHeaders, index).toLowerCase()
    if (!decisive.has(name)) continue
    if (seen.has(name)) return refused('bad-request', `The header ${name} stands in the request twice.`)
    seen.add(name)
  }
  return undefined
}
