import { setTimeout as sleep } from 'node:timers/promises'

// Plain fetch calls, as any client would make them, without knowledge of the implementation.

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The parsed body of a JSON answer, else undefined. */
  body: unknown
}

export interface SubmitResult {
  jobId: string
  uploadUrl: string
  pollUrl: string
  idempotent?: boolean | null
}

export interface Job {
  jobId: string
  status: string
  downloadUrl: string | null
  error: string | null
  expiresAt: string | null
}

export interface Usage {
  freeTier: { jobsPerMonth: number; jobsRemaining: number }
  creditsBalance: number
  currentWindow: { windowStart: string; account: { jobs: number; bytes: number } }
}

export interface Pair {
  from: string
  to: string
  pair: string
  label: string
  freeMaxBytes: number
  freeMaxMB: number
  costCredits: number
}

export type Bytes = Uint8Array<ArrayBuffer>

export const send = async (url: string, init: RequestInit = {}): Promise<Answer> => {
  const response = await fetch(url, init)
  const text = await response.text()
  const json = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: json ? (JSON.parse(text) as unknown) : undefined,
  }
}

export const bytesOf = (text: string): Bytes => new TextEncoder().encode(text)

/**
 * Another implementation of the same calls. A request that it cannot send returns null, and is sent as a plain call.
 */
export interface Library {
  operationsOf(baseUrl: string, key: string | undefined): Partial<Operations>
  upload(uploadUrl: string, bytes: Bytes): Promise<Answer>
}

interface Operations {
  formats(): Promise<Answer>
  usage(): Promise<Answer>
  poll(id: string, headers?: Record<string, string>): Promise<Answer> | null
  delete(id: string): Promise<Answer>
  report(id: string): Promise<Answer>
  submit(body: unknown, headers?: Record<string, string>): Promise<Answer> | null
  ended(id: string, withinMs: number): Promise<Job>
  convert(pair: string, bytes: Bytes): Promise<Bytes>
}

/** Only bodies that the types of a library allow; the suite also sends invalid ones. */
export const isSubmit = (body: unknown): body is { pair: string; bytes: number } => {
  if (typeof body !== 'object' || body === null) return false
  const { pair, bytes, ...rest } = body as Record<string, unknown>
  return typeof pair === 'string' && typeof bytes === 'number' && Object.keys(rest).length === 0
}

let library: Library | null = null

/** From now on calls are made by a library wherever it can make them. */
export const speakThrough = (other: Library): void => {
  library = other
}

export const upload = (uploadUrl: string, bytes: Bytes, headers?: Record<string, string>): Promise<Answer> =>
  library && headers === undefined
    ? library.upload(uploadUrl, bytes)
    : send(uploadUrl, { method: 'PUT', body: bytes, headers: headers ?? {} })

export const isEnded = ({ status }: Job): boolean => status === 'done' || status === 'failed'

/** The calls of one account (or of an anonymous client) on one service. */
export const clientOf = (baseUrl: string, key?: string) => {
  const credentials: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const get = (path: string, headers: Record<string, string> = {}) =>
    send(baseUrl + path, { headers: { ...credentials, ...headers } })

  // On each call: clients are created before the library.
  const others = () => library?.operationsOf(baseUrl, key) ?? {}

  const client = {
    baseUrl,
    key,
    origin: new URL(baseUrl).origin,
    prefix: new URL(baseUrl).pathname,
    get,
    formats: () => others().formats?.() ?? get('/v1/formats'),
    usage: () => others().usage?.() ?? get('/v1/usage'),
    poll: (id: string, headers?: Record<string, string>) =>
      others().poll?.(id, headers) ?? get(`/v1/conversions/${id}`, headers),
    delete: (id: string) =>
      others().delete?.(id) ??
      send(`${baseUrl}/v1/conversions/${id}`, { method: 'DELETE', headers: credentials }),
    report: (id: string) => others().report?.(id) ?? get(`/v1/conversions/${id}/report`),
    submit: (body: unknown, headers: Record<string, string> = {}) =>
      others().submit?.(body, headers) ??
      send(`${baseUrl}/v1/conversions`, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...credentials, ...headers },
      }),

    /** A job that must be accepted. */
    job: async (pair: string, bytes: number, headers?: Record<string, string>): Promise<SubmitResult> => {
      const answer = await client.submit({ pair, bytes }, headers)
      if (answer.status !== 201) throw new Error(`submit of ${pair}: ${answer.status} ${answer.text}`)
      return answer.body as SubmitResult
    },
    readUsage: async (): Promise<Usage> => (await client.usage()).body as Usage,
    readJob: async (id: string): Promise<Job> => {
      const answer = await client.poll(id)
      if (answer.status !== 200) throw new Error(`poll of ${id}: ${answer.status} ${answer.text}`)
      return answer.body as Job
    },
    /** Polls until the job has ended. Like every client it waits when the service is too busy to answer. */
    ended: async (id: string, withinMs = 100_000): Promise<Job> => {
      const { ended } = others()
      if (ended) return ended(id, withinMs)
      const deadline = Date.now() + withinMs
      for (;;) {
        const answer = await client.poll(id)
        const job = answer.body as Job
        if (answer.status === 200 && isEnded(job)) return job
        if (answer.status !== 200 && answer.status !== 503)
          throw new Error(`poll of ${id}: ${answer.status} ${answer.text}`)
        if (Date.now() > deadline)
          throw new Error(`job ${id} has not ended after ${withinMs} ms: ${answer.text}`)
        await sleep(answer.status === 503 ? Number(answer.headers.get('retry-after')) * 1000 : 150)
      }
    },
    /** Submits, uploads and waits for the end. */
    run: async (pair: string, bytes: Bytes): Promise<Job> => {
      const { jobId, uploadUrl } = await client.job(pair, bytes.length)
      const put = await upload(uploadUrl, bytes)
      if (put.status !== 200) throw new Error(`upload for ${pair}: ${put.status} ${put.text}`)
      return client.ended(jobId)
    },
    /** A whole conversion that must succeed; answers with the output. */
    convert: async (pair: string, bytes: Bytes): Promise<Bytes> => {
      const { convert } = others()
      if (convert) return convert(pair, bytes)
      const job = await client.run(pair, bytes)
      if (job.downloadUrl === null) throw new Error(`${pair} ended ${job.status}: ${job.error}`)
      return new Uint8Array(await (await fetch(job.downloadUrl)).arrayBuffer())
    },
  }
  return client
}

export type Client = ReturnType<typeof clientOf>
