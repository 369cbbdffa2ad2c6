import { type ErrorCode, statusOfCode } from '@kiln/contract'
import { Type } from 'typebox'

// Every call can return these: malformed HTTP, or an error of the service.
const always: readonly ErrorCode[] = ['bad-request', 'internal', 'unavailable']

const seconds = { type: 'integer', minimum: 1, description: 'In how many seconds to try again.' }
const rateHeaders = {
  RateLimit: { type: 'string', description: 'What is left of the rate (IETF draft).' },
  'RateLimit-Policy': { type: 'string', description: 'The rate of this call (IETF draft).' },
}
export const rateLimited = { headers: rateHeaders }
const headersOf: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': { type: 'string', description: 'Asks for a bearer key.' } },
  429: { 'Retry-After': seconds, ...rateHeaders },
  503: { 'Retry-After': seconds },
}

/** The error responses of a route for the API description: one per status, with the codes of that route. */
export function errorResponses(...codes: readonly ErrorCode[]): Record<number, ReturnType<typeof Type.Ref>> {
  const all = [...always, ...codes]
  return Object.fromEntries(
    all.map((code) => {
      const status = statusOfCode[code]
      const description = all
        .filter((other) => statusOfCode[other] === status)
        .map((other) => `\`${other}\``)
        .join(', ')
      const headers = headersOf[status]
      return [status, Type.Ref('Error', { description, ...(headers ? { headers } : {}) })]
    }),
  )
}
