import { readStored, scoreFixtures, store } from './fixtures.ts'

// node tools/evidence/main.ts          scores the fixtures and prints the differences from the stored scores
// node tools/evidence/main.ts store    stores the scores

const scores = await scoreFixtures()
if (process.argv[2] === 'store') store(scores)
else {
  const stored = readStored()
  for (const [name, parts] of Object.entries(scores))
    for (const [part, value] of Object.entries(parts)) {
      const last = stored[name]?.[part]
      if (last !== value) console.log(`${name} ${part}: ${last?.toFixed(3) ?? 'new'} → ${value.toFixed(3)}`)
    }
}
