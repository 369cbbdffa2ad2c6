import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { askAdmin, localAdmin } from '@kiln/test-support/admin-command.ts'
import { startService } from '@kiln/test-support/start-service.ts'
import { type Bytes, bytesOf, type Client, clientOf, upload } from '../../../e2e/service.ts'
import type { Attack, Lane } from './attacks.ts'

// One account sends an attack four times. While that is converted, a second account converts a small file in the same
// lane and polls, and a third one submits. The latencies of the second one are compared with those without the attack,
// measured on the same service just before.

const copies = 4
const maxTimes = 1.5
const aloneRounds = 7
/** Enough to last beyond the first moments, in which the attack cannot be recognised yet. */
const attackedRounds = 15
const polls = 40

export interface AttackResult {
  conversionAlone: number
  conversion: number
  pollAlone: number
  poll: number
  /** How the attack ended; what still ran when the looking was over is `running`. */
  ends: string[]
  faults: string[]
}

const probes: Readonly<Record<Lane, (client: Client) => Promise<{ pair: string; bytes: Bytes }>>> = {
  document: async () => ({ pair: 'md-to-html', bytes: bytesOf('# A letter\n\nTo a neighbour.\n') }),
  office: async () => ({ pair: 'txt-to-pdf', bytes: bytesOf('A letter to a neighbour.\n') }),
  pdf: async (client) => ({
    pair: 'pdf-to-md',
    bytes: await client.convert('txt-to-pdf', bytesOf('A letter to a neighbour.\n')),
  }),
  video: async () => ({
    pair: 'gif-to-mp4',
    bytes: Uint8Array.from(Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64')),
  }),
}

export async function runAttack(attack: Attack): Promise<AttackResult> {
  // Processes are pre-warmed, as by default.
  const service = await startService({ settings: { KILN_LOG_LEVEL: 'warn', KILN_WAITING_DOCUMENTS: '1' } })
  try {
    const admin = localAdmin(service.settings)
    const open = async (name: string) => {
      const { account, key } = await askAdmin<{ account: { id: string }; key: { key: string } }>(
        admin,
        'account',
        'create',
        '--name',
        name,
      )
      const grant = ['--account', account.id, '--amount', '1000', '--reason', 'for the suite']
      await askAdmin(admin, 'credits', 'grant', ...grant)
      return { ...clientOf(service.baseUrl, key.key), key: key.key }
    }
    const [attacker, neighbour, third] = [
      await open('attacker'),
      await open('neighbour'),
      await open('third'),
    ]
    const probe = await probes[attack.lane](neighbour)
    const faults: string[] = []
    const convert = async () => {
      const began = performance.now()
      const { jobId, uploadUrl } = await neighbour.job(probe.pair, probe.bytes.length)
      await upload(uploadUrl, probe.bytes)
      // The answer is held until the end, so that no pause between polls is measured.
      for (;;) {
        const answer = await neighbour.poll(jobId, { prefer: 'wait=25' })
        const { status, error } = answer.body as { status: string; error: string | null }
        if (status === 'failed') faults.push(`the neighbour's conversion failed: ${error}`)
        if (status === 'done' || status === 'failed') return performance.now() - began
        if (performance.now() - began > 300_000) throw new Error('the neighbour waits for five minutes')
      }
    }
    const known = (await neighbour.job('md-to-html', 1)).jobId
    const poll = async () => {
      // Clients poll at intervals. Without a delay the polls would sample one moment and not the whole attack.
      await sleep(25)
      const began = performance.now()
      const { status } = await neighbour.poll(known)
      if (status !== 200) faults.push(`a poll was answered ${status}`)
      return performance.now() - began
    }
    // Engines are pre-warmed after the start; a first conversion warms everything else.
    await sleep(3000)
    await convert()
    const conversionAlone = await medianOf(aloneRounds, convert)
    if (faults.length > 0)
      throw new Error(`Without any attack ${faults[0]} Mend that first: is the set-up complete?`)
    const pollAlone = await medianOf(polls, poll)

    const running = await start(attack, attacker, service.baseUrl)
    faults.push(...running.faults)
    const conversion = await medianOf(attackedRounds, convert)
    const pollTime = await medianOf(polls, poll)
    const submitted = await third.submit({ pair: attack.pair, bytes: 1 })
    if (submitted.status !== 201) faults.push(`the third account's submit was answered ${submitted.status}`)
    const ends = await running.stop()
    if (conversion > conversionAlone * maxTimes)
      faults.push(`the neighbour's conversion took ${times(conversion, conversionAlone)} its time alone`)
    if (pollTime > pollAlone * maxTimes)
      faults.push(`the neighbour's poll took ${times(pollTime, pollAlone)} its time alone`)
    return { conversionAlone, conversion, pollAlone, poll: pollTime, ends, faults }
  } finally {
    await service.kill()
    await service.remove()
  }
}

interface RunningAttack {
  faults: string[]
  /** The results of the jobs so far, or the number of answered calls. */
  stop(): Promise<string[]>
}

type Attacker = Client & { key: string }

async function start(attack: Attack, attacker: Attacker, baseUrl: string): Promise<RunningAttack> {
  const { pair, options, agentCall } = attack
  const content = Uint8Array.from(attack.make())
  if (agentCall) {
    const { jobId } = await attacker.run(pair, content)
    return keepCalling(`${baseUrl}/mcp`, attacker.key, agentCall(jobId))
  }
  const faults: string[] = []
  const jobs: string[] = []
  for (let n = 0; n < copies; n++) {
    const answer = await attacker.submit({ pair, bytes: content.length, options })
    if (answer.status !== 201)
      throw new Error(`the attack's submit was answered ${answer.status}: ${answer.text}`)
    const { jobId, uploadUrl } = answer.body as { jobId: string; uploadUrl: string }
    const put = await upload(uploadUrl, content)
    if (put.status !== 200) faults.push(`the upload of the attack was answered ${put.status}`)
    jobs.push(jobId)
  }
  const endOf = async (jobId: string) => {
    const { status, error } = await attacker.readJob(jobId)
    return status === 'failed' ? String(error?.split(':', 1)[0]) : status
  }
  return { faults, stop: () => Promise.all(jobs.map(endOf)) }
}

/** As many concurrent calls as there would be copies of a file, from a separate process. */
function keepCalling(url: string, key: string, body: string): RunningAttack {
  const program = fileURLToPath(new URL('./agent-caller.ts', import.meta.url))
  const caller = spawn(process.execPath, [program, url, key, String(copies)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  caller.stdin.end(body)
  return {
    faults: [],
    async stop() {
      caller.kill('SIGTERM')
      const { answers, cpuSeconds } = JSON.parse(await text(caller.stdout)) as CallerReport
      const counts = Object.entries(answers).map(([status, count]) => `${count} calls answered ${status}`)
      return [...counts, `${cpuSeconds.toFixed(1)} s of CPU time to send them`]
    },
  }
}

interface CallerReport {
  answers: Record<string, number>
  cpuSeconds: number
}

const times = (value: number, alone: number) => `${(value / alone).toFixed(2)} ×`

async function medianOf(rounds: number, measure: () => Promise<number>): Promise<number> {
  const found: number[] = []
  for (let round = 0; round < rounds; round++) found.push(await measure())
  return found.sort((a, b) => a - b)[Math.floor(rounds / 2)] as number
}
