import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { freePort } from '@kiln/test-support/free-port.ts'
import { convertEach } from './convert-each.ts'
import {
  copyRepository,
  type DebianArchitecture,
  fillNpmCache,
  makeRoot,
  nativeArchitecture,
  startInRoot,
} from './debian-root.ts'
import { lookAtPages } from './look-at-pages.ts'
import { requirePackages } from './require-packages.ts'
import { listen, untilReady } from './until-ready.ts'

// `npm run prove-architectures [-- --only amd64] [-- --keep]`: Kiln on both architectures. A fresh Debian of each
// gets a copy of the repository and `npm start`; one file of each kind is converted in it, and its pages are
// looked at in a browser. The other architecture runs in an emulator, which takes an hour or more.
//
// The emulator shows what set-up, lockfile, database, helpers and engines do there. It cannot show the sandbox: it
// has no seccomp and no Landlock, and makes no user namespaces. Kiln has to refuse to start there, which is looked
// at too, and is then started without a sandbox. What the sandbox relies on, the numbers of the system calls on
// both architectures, is compared with the kernel's headers by syscall-numbers.test.ts.

const work = '/var/tmp/kiln-prove-architectures'
const repository = fileURLToPath(new URL('../..', import.meta.url))
const minutes = 60_000

/** Some emulators end Node when its first child does. Set-up would hang then, after an hour of work. */
async function requireWorkingNode(root: string): Promise<void> {
  const script = "process.exitCode = require('node:child_process').spawnSync('true').status"
  const [code] = await once(startInRoot(root, '/', ['sh', '-c', 'node -e "$0" && true', script], {}), 'exit')
  if (code === 0) return
  throw new Error(
    'Node cannot start programs in the emulator of this machine. Run this command on a machine of that architecture, or let the workflow "test" show it.',
  )
}

async function prove(architecture: DebianArchitecture, keep: boolean): Promise<string[]> {
  const say = (line: string) => console.log(`${architecture}  ${line}`)
  const isEmulated = architecture !== nativeArchitecture
  const root = join(work, architecture)
  const faults: string[] = []
  try {
    say(isEmulated ? 'in an emulator' : 'on this machine')
    makeRoot(root, architecture)
    copyRepository(repository, join(root, 'opt/kiln'))
    if (isEmulated) {
      await requireWorkingNode(root)
      fillNpmCache(root, architecture, repository)
    }
    // A root that was kept has data of its last run, and only a first start shows a key.
    rmSync(join(root, 'var/lib/kiln'), { recursive: true, force: true })
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const settings = {
      ...{ KILN_PORT: String(port), KILN_PUBLIC_URL: origin, KILN_DATA_DIR: '/var/lib/kiln' },
      ...(isEmulated ? { npm_config_prefer_offline: 'true' } : {}),
    }
    const start = (more: Record<string, string>) => {
      const child = startInRoot(root, '/opt/kiln', ['npm', 'start'], { ...settings, ...more })
      return { origin, child, output: listen(child) }
    }
    const began = Date.now()
    let service = start({})
    if (isEmulated) {
      await once(service.child, 'exit')
      const refusal = /Kiln will not run engines without a sandbox[\s\S]*?(?=\nSee )/.exec(
        service.output(),
      )?.[0]
      if (!refusal) throw new Error(`Kiln should refuse to start without a sandbox:\n${service.output()}`)
      say(`refused to start, as it has to where there is no sandbox: ${refusal}`)
      service = start({ KILN_ALLOW_UNSANDBOXED: '1' })
    }
    try {
      const key = await untilReady(service, (isEmulated ? 90 : 20) * minutes)
      say(`set up and ready after ${((Date.now() - began) / minutes).toFixed(1)} minutes`)
      const { sandbox } = (await (await fetch(`${origin}/healthz`)).json()) as { sandbox: string }
      say(isEmulated ? `sandbox: not shown here (${sandbox})` : `sandbox: ${sandbox}, self-test passed`)
      if (!isEmulated && sandbox !== 'bubblewrap') faults.push(`the sandbox is ${sandbox}, not bubblewrap`)
      const pictures = join(work, `pictures-${architecture}`)
      mkdirSync(pictures, { recursive: true })
      faults.push(...(await lookAtPages(origin, pictures)))
      say(`pages and console: pictures in ${pictures}`)
      faults.push(...(await convertEach({ baseUrl: `${origin}/api`, apiKey: key, say })))
    } finally {
      service.child.kill('SIGKILL')
    }
  } catch (error) {
    faults.push((error as Error).message)
  } finally {
    if (!keep) rmSync(root, { recursive: true, force: true })
  }
  for (const fault of faults) say(`FAULT  ${fault}`)
  return faults
}

requirePackages('debootstrap', 'qemu-user-static', 'binfmt-support')
const { values } = parseArgs({
  options: { only: { type: 'string' }, keep: { type: 'boolean', default: false } },
})
const other: DebianArchitecture = nativeArchitecture === 'amd64' ? 'arm64' : 'amd64'
const chosen = [nativeArchitecture, other].filter((each) => values.only === undefined || each === values.only)
let count = 0
for (const architecture of chosen) count += (await prove(architecture, values.keep)).length
console.log(`${chosen.join(' and ')}: ${count === 0 ? 'no fault' : `${count} faults`}`)
process.exitCode = count === 0 ? 0 : 1
