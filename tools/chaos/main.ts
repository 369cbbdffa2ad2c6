import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { readArguments } from '../read-arguments.ts'
import { forms } from './forms.ts'
import { runMachines } from './machines/run.ts'
import { runChaos } from './run.ts'

// `npm run chaos [-- --short | --machines] [--seed N]`. Ends with 1 when anything is wrong.

const usage = `npm run chaos -- [--short | --machines] [--seed N]

Two API processes and four workers on a PostgreSQL and an S3 store of their own, with clients, while
processes are killed, the database and the storage go away and a disk fills. As root, about twelve minutes.

--short     a minute, with few faults of each kind; what the workflow runs
--machines  every part on a machine of its own (network namespaces), PostgreSQL with a standby, a store on four
            machines: each is killed and cut off, and the standby is promoted. Needs haproxy; four minutes
--seed N    the plan of another run
`

async function main(): Promise<void> {
  const { values } = readArguments(usage, {
    short: { type: 'boolean' },
    machines: { type: 'boolean' },
    seed: { type: 'string' },
  })
  const short = values.short ?? false
  const seed = Number(values.seed ?? (short ? 6 : Date.now() % 1_000_000))
  if (!Number.isSafeInteger(seed)) throw new Error(`--seed is "${values.seed}", but must be a whole number.`)
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  say(`Chaos, ${values.machines ? 'machines' : `the ${short ? 'short' : 'long'} form`}; seed ${seed}`)

  const root = await mkdtemp(join(tmpdir(), 'kiln-chaos-'))
  await chmod(root, 0o755)
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(root, { recursive: true, force: true }))
  const interrupted = () => void stack.disposeAsync().finally(() => process.exit(130))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupted)
  const options = { seed, root, stack, say }
  const violations = values.machines
    ? await runMachines(options)
    : await runChaos(forms[short ? 'short' : 'long'], options)
  say(violations.length === 0 ? '\nEverything held.' : `\n${violations.length} violations (seed ${seed}).`)
  if (violations.length > 0) process.exitCode = 1
}

main().catch((error: unknown) => {
  process.stderr.write(`${inspect(error)}\n`)
  process.exitCode = 1
})
