import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@kiln/test-support/free-port.ts'
import { convertEach } from './convert-each.ts'

// `npm run prove-image`: builds and tests the image without Docker. buildah runs the Dockerfile in chroots, on a Debian
// that debootstrap creates under the name of the Dockerfile's base image. podman starts the image as compose.yaml does:
// unprivileged user, no capabilities, read-only root, default seccomp profile. One file of each kind is converted in it.
//
// Needs root, `apt-get install buildah debootstrap podman runc`, a Debian mirror and the npm registry. The build stays in
// the folder below, some 5 GB, and makes the next run quick.

const folder = '/var/tmp/kiln-prove-image'
const repository = fileURLToPath(new URL('../..', import.meta.url))
const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')]
const image = 'localhost/kiln'
const say = (line: string) => console.log(line)

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
}
const show = (program: string, ...args: string[]) =>
  void execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
const buildah = (...args: string[]) => run('buildah', ...store, ...args)

/** The base image holds this machine's certificates too, for registries behind a proxy with its own. */
function makeBase(name: string): void {
  const suite = /^debian:(\w+)-slim$/.exec(name)?.[1]
  if (!suite) throw new Error(`The Dockerfile begins with ${name}; debootstrap can make debian:…-slim only.`)
  const full = `docker.io/library/${name}`
  if (buildah('images', '--quiet', '--filter', `reference=${full}`) !== '') return
  const root = mkdtempSync(join(folder, 'base-'))
  try {
    show('debootstrap', '--variant=minbase', suite, root)
    const container = buildah('from', 'scratch')
    buildah('copy', container, root, '/')
    const certificates = process.env.NODE_EXTRA_CA_CERTS
    if (certificates) {
      buildah('copy', container, certificates, '/etc/build-certificates.pem')
      buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/build-certificates.pem', container)
    }
    buildah('commit', '--rm', container, full)
  } finally {
    rmSync(root, { recursive: true })
  }
}

interface Container {
  origin: string
  output(): string
  /** Gives the key that the first start prints. */
  untilReady(): Promise<string>
  stop(): Promise<void>
}

const podman = ['podman', ...store, '--cgroup-manager', 'cgroupfs', '--runtime', 'runc']

async function startContainer(name: string): Promise<Container> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const [program = '', ...options] = podman
  // The limits are such that a machine without the right to raise its own can set them.
  const flags =
    '--rm --replace --network host --read-only --cap-drop all --security-opt no-new-privileges --volume /var/lib/kiln --tmpfs /tmp:size=256m --ulimit nofile=4096:4096 --ulimit nproc=4096:4096'
  const settings = ['--env', `KILN_PORT=${port}`, '--env', `KILN_PUBLIC_URL=${origin}`]
  const child = spawn(program, [...options, 'run', ...flags.split(' '), '--name', name, ...settings, image])
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  return {
    origin,
    output: () => output,
    async untilReady() {
      for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(500)) {
        if (child.exitCode !== null) throw new Error(`Kiln ended before it was ready:\n${output}`)
        const isReady = await fetch(`${origin}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        )
        const key = /kiln_live_[0-9A-Za-z]{38}/.exec(output)?.[0]
        if (isReady && key) return key
      }
      throw new Error(`Kiln was not ready within two minutes:\n${output.slice(-4000)}`)
    },
    async stop() {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      run('podman', ...options, 'stop', '--ignore', '--time', '30', name)
      const [code] = (await ended) as [number | null]
      if (code !== 0)
        throw new Error(`The container ended with ${code} when it was asked to stop:\n${output}`)
    },
  }
}

/** A second container runs at the same time: both have the same user, and the kernel's limits count per user. */
async function useImage(): Promise<void> {
  const containers: Container[] = []
  const start = async (name: string) => {
    const container = await startContainer(name)
    containers.push(container)
    return { origin: container.origin, key: await container.untilReady() }
  }
  try {
    await start('kiln-beside')
    const { origin, key } = await start('kiln')
    const { sandbox } = (await (await fetch(`${origin}/healthz`)).json()) as { sandbox: string }
    if (sandbox !== 'landlock') throw new Error(`The sandbox should be landlock here, and is ${sandbox}.`)
    for (const path of ['/', '/console', '/status']) {
      const { status } = await fetch(`${origin}${path}`)
      if (status !== 200) throw new Error(`${path} is answered ${status}.`)
    }
    const faults = await convertEach({ baseUrl: `${origin}/api`, apiKey: key, say })
    if (faults.length > 0) throw new Error(faults.join('\n'))
  } catch (error) {
    say(`The container said:\n${containers.at(-1)?.output().slice(-4000)}`)
    throw error
  } finally {
    await Promise.all(containers.map((container) => container.stop()))
  }
}

if (process.getuid?.() !== 0) throw new Error('The programs that build the image have to run as root.')
mkdirSync(folder, { recursive: true })
const dockerfile = readFileSync(join(repository, 'Dockerfile'), 'utf8')
const bases = new Set([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, name]) => name as string))
for (const name of bases) makeBase(name)
show('buildah', ...store, 'build', '--isolation', 'chroot', '--layers', '--tag', image, repository)
await useImage()
say('The image was built, converted one file of each kind at the Landlock level, and stopped when asked.')
