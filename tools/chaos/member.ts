import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

// One process of the service, restarted whenever it ends, as by systemd or Kubernetes. An exit that was not requested
// is a fault of the service.

export interface Member {
  name: string
  isReady(): boolean
  /** kill -9. False when it was not running at that moment. */
  kill(): boolean
  /** SIGTERM; gives the exit code and the seconds it took. */
  stop(): Promise<{ code: number | null; seconds: number }>
  /** Unrequested exits, with the last output. */
  unexpectedEnds(): readonly string[]
}

export interface MemberOptions {
  name: string
  program: 'main-api.ts' | 'main-worker.ts'
  /** A command prefix, such as one that enters the network namespace of a machine. */
  within?: readonly string[]
  args: readonly string[]
  environment: Record<string, string>
  onLine: (line: Record<string, unknown>) => void
}

const repository = fileURLToPath(new URL('../..', import.meta.url))
const restartAfterMilliseconds = 300
const lastWordsCount = 12

export function startMember({
  name,
  program,
  within = [],
  args,
  environment,
  onLine,
}: MemberOptions): Member {
  const [command = '', ...rest] = [...within, process.execPath, `packages/server/src/${program}`, ...args]
  const unexpected: string[] = []
  let child: ChildProcess
  let asked = false
  let stopping = false
  let ready = false

  const start = () => {
    asked = false
    ready = false
    const lastWords: string[] = []
    const started = spawn(command, rest, {
      cwd: repository,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    for (const stream of [started.stdout, started.stderr]) {
      createInterface({ input: stream as Readable }).on('line', (line) => {
        lastWords.push(line)
        if (lastWords.length > lastWordsCount) lastWords.shift()
        if (!line.startsWith('{')) return
        const said = JSON.parse(line) as Record<string, unknown>
        if (/ is ready$/.test(String(said.msg))) ready = true
        onLine(said)
      })
    }
    started.once('exit', (code, signal) => {
      if (!asked) unexpected.push(`${name} ended by itself (${code ?? signal}):\n${lastWords.join('\n')}`)
      if (!stopping) void sleep(restartAfterMilliseconds).then(() => stopping || start())
    })
  }
  start()

  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    name,
    isReady: () => ready && isRunning(),
    kill() {
      if (!isRunning()) return false
      asked = true
      return child.kill('SIGKILL')
    },
    async stop() {
      stopping = true
      const began = Date.now()
      if (isRunning()) {
        asked = true
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        const alarm = setTimeout(() => child.kill('SIGKILL'), 60_000)
        await ended
        clearTimeout(alarm)
      }
      return { code: child.exitCode, seconds: (Date.now() - began) / 1000 }
    },
    unexpectedEnds: () => unexpected,
  }
}
