import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCli } from '@kiln/client/cli'

// `npm run convert -- in.docx out.pdf`: `kiln convert` without a running service. It starts one for
// itself on the loopback address, converts with the client, and stops it. The database and the key are
// kept in .setup/convert, so that the next time starts faster; where another conversion runs at the same
// time, a temporary folder does.

const repository = resolve(import.meta.dirname, '..')
const readyWithin = 120_000

interface Service {
  baseUrl: string
  key: string
  stop(): Promise<void>
}

async function main(): Promise<number> {
  // npm goes to the repository's root; the files are named from where the user is.
  process.chdir(process.env.INIT_CWD ?? process.cwd())
  const args = ['convert', ...process.argv.slice(2)]
  const interruption = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interruption.abort())
  const run = (service?: Service) =>
    runCli(args, {
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      env: service ? { ...process.env, KILN_URL: service.baseUrl, KILN_API_KEY: service.key } : process.env,
      signal: interruption.signal,
    })
  // Help needs no service.
  if (args.length === 1 || args.includes('--help') || args.includes('-h')) return run()

  // The kept folder may be in use, or just being given up; a new one never is.
  const service = await startIn(await keptFolder(), false).catch(async () =>
    startIn(await temporaryFolder(), true),
  )
  try {
    return await run(service)
  } finally {
    await service.stop()
  }
}

async function keptFolder(): Promise<string> {
  const folder = join(repository, '.setup/convert')
  await mkdir(folder, { recursive: true, mode: 0o711 })
  return folder
}

/** The database may run as another user, who has to pass through. */
async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-convert-'))
  await chmod(folder, 0o711)
  return folder
}

async function startIn(folder: string, isTemporary: boolean): Promise<Service> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [join(repository, 'packages/server/src/main-all.ts')], {
    cwd: repository,
    // A process group of its own: Ctrl-C is for us, and we stop the service when we are done.
    detached: true,
    env: {
      // Watched by its parent as under npm: should we be killed, it stops by itself.
      npm_lifecycle_event: 'convert',
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LANG: process.env.LANG,
      NODE_COMPILE_CACHE: join(repository, '.setup/compile-cache'),
      KILN_DATA_DIR: folder,
      KILN_HOST: '127.0.0.1',
      KILN_PORT: String(port),
      KILN_PUBLIC_URL: origin,
      KILN_FREE_JOBS_PER_MONTH: '1000000000',
      KILN_DRAIN_SECONDS: '0',
      KILN_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      said += text
    })
  }
  const stop = async () => {
    await end(child)
    if (isTemporary) await rm(folder, { recursive: true, force: true })
  }
  try {
    if (!(await isReady(child, origin))) throw new Error(`The service did not start:\n${said}`)
    return { baseUrl: `${origin}/api`, key: await findKey(folder, () => said), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The first start prints the key of the first account, once; it is kept beside the database. */
async function findKey(folder: string, said: () => string): Promise<string> {
  const path = join(folder, 'key')
  const kept = await readFile(path, 'utf8').catch(() => null)
  if (kept !== null) return kept.trim()
  for (let waited = 0; waited < 5000; waited += 20) {
    const printed = /^ {2}(kiln_live_\S+)$/m.exec(said())?.[1]
    if (printed) {
      await writeFile(path, printed, { mode: 0o600 })
      return printed
    }
    await sleep(20)
  }
  throw new Error(`${folder} has accounts, but its key is lost. Delete the folder and try again.`)
}

async function isReady(child: ChildProcess, origin: string): Promise<boolean> {
  for (const began = Date.now(); Date.now() - began < readyWithin; await sleep(20)) {
    if (child.exitCode !== null || child.signalCode !== null) return false
    const ready = await fetch(`${origin}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ready) return true
  }
  return false
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const cut = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await ended
  clearTimeout(cut)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

main().then(
  (code) => {
    process.exitCode = code
    process.stdin.unref?.()
  },
  (error: unknown) => {
    console.error(`convert: ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  },
)
