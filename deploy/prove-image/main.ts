import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type BuiltStage, carryOut } from './carry-out.ts'
import { convertInImage } from './convert.ts'
import { parseDockerfile } from './parse-dockerfile.ts'
import { makeBase } from './system-root.ts'

// `npm run prove-image`: the Dockerfile without Docker. Its steps are carried out in a Debian made by
// debootstrap, and what comes out converts documents as an ordinary user. Needs root, a Debian mirror and
// the npm registry; takes some minutes and about 6 GB below the cache folder.

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      cache: { type: 'string', default: '/var/tmp/kiln-prove-image' },
      /** Converts with what an earlier run built. */
      'only-convert': { type: 'boolean', default: false },
    },
  })
  const repository = fileURLToPath(new URL('../..', import.meta.url))
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const stages = parseDockerfile(await readFile(join(repository, 'Dockerfile'), 'utf8'))
  const certificates = process.env.NODE_EXTRA_CA_CERTS ?? null
  const folder = join(values.cache, 'stages')
  const built = new Map<string, BuiltStage>()
  let last: BuiltStage | undefined
  for (const stage of stages) {
    const suite = /^debian:(\w+)-slim$/.exec(stage.image)?.[1]
    if (!suite) throw new Error(`The proof knows images of Debian only, not ${stage.image}.`)
    say(`\nFROM ${stage.image}${stage.name ? ` AS ${stage.name}` : ''}`)
    const base = await makeBase(values.cache, suite)
    last = await carryOut(stage, {
      ...{ repository, base, folder, built, certificates, say },
      reuse: values['only-convert'],
    })
    if (stage.name) built.set(stage.name, last)
  }
  if (!last) throw new Error('The Dockerfile has no stage.')
  const { level, converted } = await convertInImage(last)
  say(
    `\nSandbox: ${level}. Converted as user ${last.settings.user} on a read-only root: ${converted.join(', ')}.`,
  )
  if (level !== 'landlock') throw new Error(`The sandbox should be landlock here, and is ${level}.`)
}

await main()
