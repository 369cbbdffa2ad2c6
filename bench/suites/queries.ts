import type { KilnApi } from '../start-servers.ts'

/** Which statements does one call send to the database? */
export async function describeQueries(
  kiln: KilnApi,
  call: () => Promise<void>,
): Promise<{ count: number; detail: string }> {
  await call()
  await kiln.ask('watchQueries')
  await call()
  const queries = await kiln.ask<string[]>('takeQueries')
  const detail = queries.map((text) => `\`${shorten(text)}\``).join(', ')
  return { count: queries.length, detail }
}

const shorten = (text: string): string => {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  const from = /^select .* (from .*)$/.exec(flat)
  return (from ? `select … ${from[1]}` : flat).slice(0, 120)
}
