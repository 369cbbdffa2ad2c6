import type { KilnApi } from '../start-servers.ts'

/** The statements that one call sends to the database. */
export async function describeQueries(
  kiln: KilnApi,
  call: () => Promise<void>,
): Promise<{ count: number; detail: string }> {
  await call()
  let queries: string[] = []
  // The service also sends queries of its own occasionally: the call with the fewest of several counts.
  for (let round = 0; round < 5; round++) {
    await kiln.ask('watchQueries')
    await call()
    const sent = await kiln.ask<string[]>('takeQueries')
    if (round === 0 || sent.length < queries.length) queries = sent
  }
  const detail = queries.map((text) => `\`${shorten(text)}\``).join(', ')
  return { count: queries.length, detail }
}

const shorten = (text: string): string => {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  const from = /^select .* (from .*)$/.exec(flat)
  return (from ? `select … ${from[1]}` : flat).slice(0, 120)
}
