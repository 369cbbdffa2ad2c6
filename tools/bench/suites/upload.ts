import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createAccounts } from '../accounts.ts'
import type { Environment } from '../environment.ts'
import { atLeast, atMost } from '../figures.ts'
import { spread } from '../load.ts'
import { residentMB } from '../process-facts.ts'
import { putFile } from '../put-file.ts'
import { startBareServer, startKilnApi } from '../start-servers.ts'
import { median } from '../statistics.ts'
import { submitJob } from '../submit-job.ts'
import type { Suite } from '../suite.ts'

const megabyte = 1024 * 1024
const atOnce = 64
const memoryTargetMB = 250

export const uploadSuite: Suite = {
  name: 'upload',
  title: 'Upload',
  method: `\`PUT {uploadUrl}\` of 50 MB against a bare \`node:http\` server that pipes the body to a file on the same disk. Then ${atOnce} uploads at once into a fresh API process.`,
  async run(environment, { short, say }) {
    const databaseUrl = await environment.createServiceDatabase('upload')
    const [account] = await createAccounts(databaseUrl, 1)
    const key = account?.key as string
    const folder = await environment.createFolder('upload')
    const rates = await compareUploads(environment, {
      databaseUrl,
      folder,
      key,
      rounds: short ? 5 : 25,
      say,
    })
    const memory = await manyAtOnce({ databaseUrl, folder, key, bytes: (short ? 10 : 50) * megabyte })
    say(`${atOnce} at once: ${memory.before.toFixed(0)} MB before, ${memory.peak.toFixed(0)} MB at most`)
    return {
      figures: [
        {
          name: 'throughput of a 50 MB upload ÷ bare node:http',
          seen: median(rates.ratios),
          unit: '×',
          sensitive: true,
          target: atLeast(0.7),
          detail: `${median(rates.ours).toFixed(0)} MB/s against ${median(rates.bare).toFixed(0)} MB/s; rounds ${spread(rates.ratios)}`,
        },
        {
          name: `peak memory of the API process, ${atOnce} uploads at once`,
          seen: memory.peak,
          unit: 'MB',
          target: atMost(memoryTargetMB),
          detail: `${memory.before.toFixed(0)} MB before; all done in ${memory.seconds.toFixed(1)} s`,
        },
      ],
    }
  },
}

interface UploadRun {
  databaseUrl: string
  folder: string
  key: string
}

async function compareUploads(
  environment: Environment,
  { databaseUrl, folder, key, rounds, say }: UploadRun & { rounds: number; say: (line: string) => void },
) {
  const bareFolder = await environment.createFolder('upload-bare')
  const kiln = await startKilnApi(databaseUrl, folder)
  const bare = await startBareServer(databaseUrl, bareFolder)
  const bytes = 50 * megabyte
  const megabytesPerSecond = async (url: string) => (bytes / megabyte / (await putFile(url, bytes))) * 1000
  const seen = { ours: [] as number[], bare: [] as number[], ratios: [] as number[] }
  try {
    for (let round = 0; round <= rounds; round++) {
      const { uploadUrl } = await submitJob(kiln.base, key, bytes)
      const a = await megabytesPerSecond(uploadUrl)
      const b = await megabytesPerSecond(bare.uploadUrl)
      await empty(join(folder, 'files/in'))
      await empty(bareFolder)
      if (round === 0) continue // Warm-up.
      seen.ours.push(a)
      seen.bare.push(b)
      seen.ratios.push(a / b)
      say(`${a.toFixed(0)} MB/s against ${b.toFixed(0)} MB/s, ratio ${(a / b).toFixed(2)}`)
    }
  } finally {
    await kiln.stop()
    await bare.stop()
  }
  return seen
}

async function manyAtOnce({ databaseUrl, folder, key, bytes }: UploadRun & { bytes: number }) {
  const kiln = await startKilnApi(databaseUrl, folder)
  try {
    const jobs = await Promise.all(Array.from({ length: atOnce }, () => submitJob(kiln.base, key, bytes)))
    const before = (await residentMB(kiln.pid)).now
    const samples: [number, number][] = []
    const started = performance.now()
    const seconds = () => (performance.now() - started) / 1000
    const sampler = setInterval(() => {
      residentMB(kiln.pid).then(
        ({ now }) => samples.push([seconds(), now]),
        () => {},
      )
    }, 50)
    await Promise.all(jobs.map(({ uploadUrl }) => putFile(uploadUrl, bytes))).finally(() =>
      clearInterval(sampler),
    )
    return { before, peak: (await residentMB(kiln.pid)).peak, seconds: seconds(), samples }
  } finally {
    await kiln.stop()
    await empty(join(folder, 'files/in'))
  }
}

async function empty(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name))
}
