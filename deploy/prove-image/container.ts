import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../bench/free-port.ts'
import type { BuiltStage } from './carry-out.ts'
import { commandIn } from './system-root.ts'

// The image's own command, started as a container starts it.

export interface Container {
  origin: string
  output(): string
  /** Gives the key that the first start prints. */
  untilReady(): Promise<string>
  end(): Promise<void>
}

const readyWithinMs = 120_000

export async function startContainer(image: BuiltStage): Promise<Container> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const environment = { ...image.settings.environment, KILN_PORT: String(port), HOME: '/var/lib/kiln' }
  const [program = '', ...args] = commandIn(image.root, [...image.entrypoint, ...image.command], {
    ...image.settings,
    environment,
    readOnly: { writable: ['/var/lib/kiln', '/tmp'] },
  })
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  return {
    origin,
    output: () => output,
    async untilReady() {
      for (const deadline = Date.now() + readyWithinMs; Date.now() < deadline; await sleep(200)) {
        if (child.exitCode !== null) throw new Error(`The service ended before it was ready:\n${output}`)
        const isReady = await fetch(`${origin}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        )
        const key = /kiln_live_[0-9A-Za-z]{38}/.exec(output)?.[0]
        if (isReady && key) return key
      }
      throw new Error(`The service was not ready within two minutes:\n${output}`)
    },
    end: () => end(child),
  }
}

/** The signal goes to the first process inside, as `docker stop` sends it; when that ends, all of them do. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  const inside = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim())
  process.kill(inside, 'SIGTERM')
  const alarm = setTimeout(() => process.kill(inside, 'SIGKILL'), 30_000)
  await ended
  clearTimeout(alarm)
}
