import type { IncomingMessage } from 'node:http'
import { at } from '../at.ts'
import { type KilnError, refused } from '../errors.ts'

// Headers that affect decisions may occur only once in a request. With duplicates, Node uses the first value for some
// names and joins the values for others, and a proxy in front may have used the other one.
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
    if (seen.has(name)) return refused('bad-request', `The request has the header ${name} twice.`)
    seen.add(name)
  }
  return undefined
}
