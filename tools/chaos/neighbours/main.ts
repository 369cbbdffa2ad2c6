import { parseArgs } from 'node:util'
import { attacks } from './attacks.ts'
import { feel } from './run.ts'

// `npm run neighbours [-- WORD]`. Exits with status 1 when an attack affects another account.

const usage = `npm run neighbours -- [WORD]

For each attack: a service of its own, an account that sends the attack four times, a second one whose small
conversion and polls must stay below 1.5 times their time alone, and a third one that must be refused nothing.
On a quiet machine, about five minutes. WORD chooses attacks by name or pair.
`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { help: { type: 'boolean' } },
    allowPositionals: true,
  })
  if (values.help) return void process.stdout.write(usage)
  const chosen = attacks.filter(({ name, pair }) =>
    positionals.every((word) => name.includes(word) || pair.includes(word)),
  )
  let count = 0
  for (const attack of chosen) {
    const felt = await feel(attack)
    const line = [
      `${attack.pair}, ${attack.name}:`,
      `conversion ${felt.conversionAlone.toFixed(0)} → ${felt.conversion.toFixed(0)} ms,`,
      `poll ${felt.pollAlone.toFixed(1)} → ${felt.poll.toFixed(1)} ms; the attack: ${felt.ends.join(', ')}`,
    ]
    process.stdout.write(`${felt.faults.length === 0 ? 'ok   ' : 'FELT '} ${line.join(' ')}\n`)
    for (const fault of felt.faults) process.stdout.write(`      ${fault}\n`)
    count += felt.faults.length
  }
  process.stdout.write(count === 0 ? '\nNo account was slowed down.\n' : `\n${count} faults.\n`)
  if (count > 0) process.exitCode = 1
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
