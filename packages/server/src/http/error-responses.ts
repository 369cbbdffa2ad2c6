import { errorCodes, statusOfCode } from '@kiln/contract'
import { Type } from 'typebox'

/** The error answers of a route for the API description: one per status, naming its codes. */
export function errorResponses(...statuses: readonly number[]): Record<number, ReturnType<typeof Type.Ref>> {
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = errorCodes.filter((code) => statusOfCode[code] === status)
      return [status, Type.Ref('Error', { description: codes.map((code) => `\`${code}\``).join(', ') })]
    }),
  )
}
