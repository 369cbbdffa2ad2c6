import { readArguments } from '../../read-arguments.ts'
import { attacks } from './attacks.ts'
import { runAttack } from './run.ts'

// `npm run neighbours [-- WORD]`. Exits with status 1 when an attack affects another account.

const usage = `npm run neighbours -- [WORD]

For each attack: a service of its own, an account that sends the attack four times, a second one whose small
conversion and polls must stay below 1.5 times their time alone, and a third one that must be refused nothing.
On a quiet machine, about five minutes. WORD chooses attacks by name or pair.
`

async function main(): Promise<void> {
  const { positionals } = readArguments(usage, {})
  const chosen = attacks.filter(({ name, pair }) =>
    positionals.every((word) => name.includes(word) || pair.includes(word)),
  )
  let count = 0
  for (const attack of chosen) {
    const result = await runAttack(attack)
    const line = [
      `${attack.pair}, ${attack.name}:`,
      `conversion ${result.conversionAlone.toFixed(0)} → ${result.conversion.toFixed(0)} ms,`,
      `poll ${result.pollAlone.toFixed(1)} → ${result.poll.toFixed(1)} ms; the attack: ${result.ends.join(', ')}`,
    ]
    process.stdout.write(`${result.faults.length === 0 ? 'ok   ' : 'SLOW '} ${line.join(' ')}\n`)
    for (const fault of result.faults) process.stdout.write(`      ${fault}\n`)
    count += result.faults.length
  }
  process.stdout.write(count === 0 ? '\nNo account was slowed down.\n' : `\n${count} faults.\n`)
  if (count > 0) process.exitCode = 1
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
