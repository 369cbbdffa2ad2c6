import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@kiln/test-support/free-port.ts'
import { startChild } from '../child.ts'
import { atMost, type Figure } from '../figures.ts'
import { createAccounts, putLastByte, submitJob } from '../jobs.ts'
import type { EngineStart, KilnServiceSettings } from '../servers/kiln-service.ts'
import { percentile } from '../statistics.ts'
import type { Suite } from '../suite.ts'

export const startLatencySuite: Suite = {
  name: 'start-latency',
  title: 'From the last byte to the engine',
  method: 'API and worker in one idle process.',
  async run(environment, { short, say }) {
    const databaseUrl = await environment.createServiceDatabase('start_latency')
    const [account] = await createAccounts(databaseUrl, 1)
    const key = account?.key as string
    const port = await freePort()
    const folder = await environment.createFolder('start-latency')
    const settings: KilnServiceSettings = { databaseUrl, folder, port }
    const service = await startChild('kiln-service.ts', settings)
    const last = short ? 90 : 99
    const base = `http://127.0.0.1:${port}/api`

    const sample = async (): Promise<{ call: number; program: number | null }> => {
      const { jobId, uploadUrl } = await submitJob(base, key, body.length)
      const sentAt = await putLastByte(uploadUrl, body)
      await waitForDone(base, key, jobId)
      const [start] = await service.ask<EngineStart[]>('takeStarts')
      if (!start) throw new Error(`The engine was not called for job ${jobId}.`)
      await delay(5 + Math.random() * 30)
      const program = start.programAt === null ? null : start.programAt - sentAt
      return { call: start.calledAt - sentAt, program }
    }
    try {
      for (let n = 0; n < 10; n++) await sample()
      const calls: number[] = []
      for (let n = 0; n < (short ? 60 : 400); n++) calls.push((await sample()).call)
      say(`to the engine: ${summary(calls)}`)
      await service.ask('setStartsProgram', true)
      const programs: number[] = []
      for (let n = 0; n < (short ? 20 : 300); n++) programs.push((await sample()).program as number)
      say(`to a program in the sandbox: ${summary(programs)}`)
      return {
        figures: [
          latency('to the engine, p50', calls, 50, 6),
          // The worst of a few samples is chance; the short form has too few for the 99th percentile.
          latency(`to the engine, p${last}`, calls, last, 25),
          latency('to the first instruction of a program in the sandbox, p50', programs, 50),
          latency('to the first instruction of a program in the sandbox, p99', programs, 99),
        ],
      }
    } finally {
      await service.stop()
    }
  },
}

const body = Buffer.from(`# A letter\n\n${'Some words of a letter. '.repeat(200)}\n`)

const summary = (samples: readonly number[]) =>
  [50, 90, 99, 100].map((p) => `p${p} ${percentile(samples, p).toFixed(1)} ms`).join(', ')

function latency(name: string, samples: readonly number[], percent: number, target?: number): Figure {
  return {
    name,
    seen: percentile(samples, percent),
    unit: 'ms',
    sensitive: true,
    ...(target === undefined ? {} : { target: atMost(target) }),
    detail: `${samples.length} samples; ${summary(samples)}`,
  }
}

async function waitForDone(base: string, key: string, jobId: string): Promise<void> {
  const answer = await fetch(`${base}/v1/conversions/${jobId}`, {
    headers: { authorization: `Bearer ${key}`, prefer: 'wait=20' },
  })
  const job = (await answer.json()) as { status: string; error: string | null }
  if (job.status !== 'done') throw new Error(`job ${jobId} is ${job.status}: ${job.error}`)
}
