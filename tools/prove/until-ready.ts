import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Starting {
  origin: string
  child: ChildProcess
  output: () => string
}

/** Collects the output of a process. */
export function listen(child: ChildProcess): () => string {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk
    })
  return () => output
}

/** Waits until the service answers, and gives the key that its first start prints. */
export async function untilReady(
  { origin, child, output }: Starting,
  withinMinutes: number,
): Promise<string> {
  for (const deadline = Date.now() + withinMinutes * 60_000; Date.now() < deadline; await sleep(500)) {
    if (child.exitCode !== null) throw new Error(`Kiln ended before it was ready:\n${output()}`)
    const isReady = await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    const key = /kiln_live_[0-9A-Za-z]{38}/.exec(output())?.[0]
    if (isReady && key) return key
  }
  throw new Error(`Kiln was not ready within ${withinMinutes} minutes:\n${output().slice(-4000)}`)
}
