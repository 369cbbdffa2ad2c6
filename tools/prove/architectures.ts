import { createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { freePort } from '@kiln/test-support/free-port.ts'
import { convertEach } from './convert-each.ts'
import { copyRepository } from './copy-repository.ts'
import { type DebianArchitecture, makeRoot, nativeArchitecture, startInRoot } from './debian-root.ts'
import { emulatorPackages, startMachine } from './emulated-machine.ts'
import { lookAtPages } from './look-at-pages.ts'
import { type Machine, talkTo } from './machine.ts'
import { requirePackages } from './require-packages.ts'
import { untilReady } from './until-ready.ts'

// `npm run prove-architectures [-- --only amd64] [-- --emulated] [-- --keep]`: Kiln on both architectures. A fresh
// Debian of each gets a copy of the repository and `npm start`; its pages are looked at in a browser, one file of
// each kind is converted, `doctor` tries every part, and the numbers of system calls are compared with the headers
// there. This machine's architecture runs in a folder, the other in an emulated machine; with `--emulated` both do.

const work = '/var/tmp/kiln-prove-architectures'
const repository = fileURLToPath(new URL('../..', import.meta.url))

interface Wanted {
  architecture: DebianArchitecture
  isEmulated: boolean
  keep: boolean
}

async function startSystem({ architecture, isEmulated }: Wanted, port: number): Promise<Machine> {
  if (isEmulated) return startMachine(work, architecture, repository, port)
  const root = join(work, architecture)
  makeRoot(root)
  copyRepository(repository, join(root, 'opt/kiln'))
  // A root that was kept has data of its last run, and only a first start shows a key.
  rmSync(join(root, 'var/lib/kiln'), { recursive: true, force: true })
  return talkTo(startInRoot(root))
}

async function prove(wanted: Wanted): Promise<string[]> {
  const { architecture, isEmulated, keep } = wanted
  const began = Date.now()
  const say = (line: string) =>
    console.log(`${architecture}  ${((Date.now() - began) / 60_000).toFixed(1)} min  ${line}`)
  // An emulated machine is slower by a factor of ten to thirty.
  const patience = isEmulated ? 20 : 1
  const faults: string[] = []
  let machine: Machine | undefined
  const attempt = async (step: () => Promise<string[]>) => {
    try {
      faults.push(...(await step()))
    } catch (error) {
      faults.push((error as Error).message)
    }
  }
  try {
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    machine = await startSystem(wanted, port)
    const { child, run } = machine
    const log = join(work, `${architecture}.log`)
    child.stdout?.pipe(createWriteStream(log))
    say(`what the machine says is in ${log}`)
    say(`${(await run('uname -srm', 10)).trim()}, ${isEmulated ? 'an emulated machine' : 'this machine'}`)
    const settings = {
      ...{ KILN_PORT: port, KILN_PUBLIC_URL: origin, KILN_DATA_DIR: '/var/lib/kiln' },
      ...(isEmulated ? { KILN_HOST: '0.0.0.0', npm_config_offline: true } : {}),
    }
    const inKiln = `cd /opt/kiln && export ${Object.entries(settings)
      .map((each) => each.join('='))
      .join(' ')} &&`
    await run(`${inKiln} npm start &`, 1)
    const key = await untilReady({ origin, ...machine }, 10 * patience)
    const { sandbox } = (await (await fetch(`${origin}/healthz`)).json()) as { sandbox: string }
    say(`set up and ready; sandbox: ${sandbox}, self-test passed`)
    if (sandbox !== 'bubblewrap') faults.push(`the sandbox is ${sandbox}, not bubblewrap`)
    await attempt(async () => {
      const pictures = join(work, `pictures-${architecture}`)
      mkdirSync(pictures, { recursive: true })
      const found = await lookAtPages(origin, pictures)
      say(`pages and console: pictures in ${pictures}`)
      return found
    })
    await attempt(() => convertEach({ baseUrl: `${origin}/api`, apiKey: key, say }))
    await attempt(async () => {
      say(`doctor:\n${await run(`${inKiln} npm run --silent admin -- doctor`, 3 * patience)}`)
      return []
    })
    await attempt(async () => {
      const vitest = 'CI=1 NO_COLOR=1 node_modules/.bin/vitest run --root packages/converter/test/sandbox'
      say(await run(`${inKiln} ${vitest} syscall-numbers`, 3 * patience))
      return []
    })
  } catch (error) {
    faults.push((error as Error).message)
  } finally {
    machine?.child.kill('SIGKILL')
    if (!keep && !isEmulated) rmSync(join(work, architecture), { recursive: true, force: true })
  }
  for (const fault of faults) say(`FAULT  ${fault}`)
  return faults
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    emulated: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
})
const other: DebianArchitecture = nativeArchitecture === 'amd64' ? 'arm64' : 'amd64'
const chosen = [nativeArchitecture, other].filter((each) => values.only === undefined || each === values.only)
requirePackages('debootstrap', ...(values.emulated || chosen.includes(other) ? emulatorPackages : []))
let count = 0
for (const architecture of chosen) {
  const isEmulated = values.emulated || architecture === other
  count += (await prove({ architecture, isEmulated, keep: values.keep })).length
}
console.log(`${chosen.join(' and ')}: ${count === 0 ? 'no fault' : `${count} faults`}`)
process.exitCode = count === 0 ? 0 : 1
