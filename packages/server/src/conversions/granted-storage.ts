import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { StartedJob } from '../db/jobs.ts'
import { unavailable } from '../errors.ts'
import { brokenExchange, type Exchange, openExchange } from '../storage/exchange.ts'
import { parseObjectName } from '../storage/object-names.ts'
import { LeaseLost } from './end-job.ts'
import { type GrantedFiles, type GrantRequest, grantPath } from './grant-files.ts'
import { type JobStorage, unreadableSecrets } from './job-storage.ts'

// The storage of a worker without credentials. Before it fetches the input of a job, it requests links to the objects
// of its attempt from the API (grant-files.ts), and requests new ones shortly before they expire.

export interface GrantedStorageParts {
  /** The origin of the API. */
  apiUrl: string
  token: string
}

interface LeasedAttempt {
  job: StartedJob
  files: Promise<GrantedFiles> | null
  expiresAt: number
}

// A transfer that starts now must reach the store before its link expires.
const marginMilliseconds = 60_000
const maxGrantBytes = 64 * 1024

export function createGrantedStorage(parts: GrantedStorageParts): JobStorage & { close(): void } {
  const exchange = openExchange()
  const attempts = new Set<LeasedAttempt>()

  // A worker that lost its lease may also hold the next attempt: an output must be that of its own attempt.
  const leasedOf = (jobId: string, attempt?: number): LeasedAttempt => {
    const fits = ({ job }: LeasedAttempt) =>
      job.id === jobId && (attempt === undefined || job.attempt === attempt)
    const leased = [...attempts].findLast(fits)
    if (!leased) throw new LeaseLost('This worker does not hold the job.')
    return leased
  }
  const filesOf = (leased: LeasedAttempt): Promise<GrantedFiles> => {
    if (!leased.files || Date.now() > leased.expiresAt - marginMilliseconds) {
      leased.files = askForFiles(exchange, parts, leased.job)
      leased.files.then(
        ({ seconds }) => {
          leased.expiresAt = Date.now() + seconds * 1000
        },
        () => {
          leased.files = null
        },
      )
      // Concurrent calls wait for the same response.
      leased.expiresAt = Number.POSITIVE_INFINITY
    }
    return leased.files
  }
  const linksOf = async (object: string) => {
    const name = parseObjectName(object)
    if (!name) throw new Error('Not the name of an object.')
    if (name.kind === 'input') return (await filesOf(leasedOf(name.jobId))).input
    return (await filesOf(leasedOf(name.jobId, name.attempt))).output
  }
  const link = async (verb: 'get' | 'put' | 'delete', object: string): Promise<string> => {
    const url = ((await linksOf(object)) as Record<string, string>)[verb]
    if (url === undefined) throw new Error(`A worker has no link to ${verb} ${object}.`)
    return url
  }

  return {
    hold(job) {
      const leased: LeasedAttempt = { job, files: null, expiresAt: 0 }
      attempts.add(leased)
      return () => void attempts.delete(leased)
    },
    async optionsOf(job) {
      if (job.secrets === null) return job.options
      const { secrets } = await filesOf(leasedOf(job.id, job.attempt))
      if (secrets === null) throw unreadableSecrets()
      return { ...job.options, ...secrets }
    },
    async fetch(object, path) {
      const { status, body } = await exchange.send('GET', await link('get', object))
      if (status === 200) {
        const file = createWriteStream(path, { flags: 'wx', mode: 0o444 })
        return pipeline(body, file).catch((error) => {
          throw brokenExchange(error)
        })
      }
      body.resume()
      if (status === 404) throw new Error('The input of the job is gone from storage.')
      throw storeRefuses(status)
    },
    async store(path, object) {
      const { size } = await stat(path)
      const content = { bytes: size, open: () => createReadStream(path) }
      const { status, body } = await exchange.send('PUT', await link('put', object), { content })
      body.resume()
      if (status !== 200) throw storeRefuses(status)
    },
    async remove(object) {
      const { status, body } = await exchange.send('DELETE', await link('delete', object))
      body.resume()
      if (status !== 204 && status !== 200 && status !== 404) throw storeRefuses(status)
    },
    close: exchange.close,
  }
}

const storeRefuses = (status: number) =>
  unavailable(`The storage answered a link of this job with ${status}.`)

async function askForFiles(
  { send }: Exchange,
  { apiUrl, token }: GrantedStorageParts,
  job: StartedJob,
): Promise<GrantedFiles> {
  const question: GrantRequest = { jobId: job.id, attempt: job.attempt, token: job.leaseToken }
  const { status, body } = await send('POST', new URL(grantPath, apiUrl).href, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    content: JSON.stringify(question),
  })
  const answer = await textOf(body)
  if (status === 200) return JSON.parse(answer) as GrantedFiles
  if (status === 403) throw new LeaseLost('The API says that this worker does not hold the job.')
  if (status === 401)
    throw unavailable('The API refuses KILN_WORKER_TOKEN. Give the API and its workers the same one.')
  if (status === 404)
    throw unavailable('KILN_WORKER_API_URL leads to no API with KILN_WORKER_TOKEN and KILN_S3_BUCKET set.')
  throw unavailable(`The API answered ${status} when it was asked for the files of a job.`)
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > maxGrantBytes) throw new Error('The API sent more than the files of a job.')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}
