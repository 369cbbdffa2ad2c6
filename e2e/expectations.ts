import { expect } from 'vitest'
import type { Answer, Job, SubmitResult, Usage } from './service.ts'

// The codes and their statuses, written down here once more on purpose: a slip in the service's own
// table must not slip through.
export const statusOfCode: Readonly<Record<string, number>> = {
  'bad-request': 400,
  'unknown-pair': 400,
  'client-pair': 400,
  'size-mismatch': 400,
  unauthenticated: 401,
  'require-credits': 402,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'request-timeout': 408,
  'length-required': 411,
  'precondition-failed': 412,
  'too-large': 413,
  'range-not-satisfiable': 416,
  'expectation-failed': 417,
  'idempotency-mismatch': 422,
  'rate-limited': 429,
  'headers-too-large': 431,
  internal: 500,
  unavailable: 503,
}

export const failureText =
  /^(password-protected|corrupt-input|wrong-format|timeout|too-complex|unsupported|internal): \S.*[.!?]$/su

export const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const fieldsOf = (body: unknown): string[] =>
  typeof body === 'object' && body !== null ? Object.keys(body).sort() : []

export const expectJson = (answer: Answer): void => {
  expect(answer.headers.get('content-type')).toMatch(/^application\/json(; charset=utf-8)?$/i)
  expect(answer.headers.get('request-id')).toMatch(/^\S+$/)
}

/** The error body and nothing more, with the status that goes with the code. */
export const expectError = (answer: Answer, code: string): string => {
  expect(answer.body, `${answer.status} ${answer.text}`).toEqual({ error: expect.any(String), code })
  expect(answer.status).toBe(statusOfCode[code])
  expectJson(answer)
  const { error } = answer.body as { error: string }
  expect(error.length).toBeGreaterThan(8)
  return error
}

export const expectSubmitResult = (answer: Answer, status: 201 | 200): SubmitResult => {
  expect(answer.status, answer.text).toBe(status)
  expectJson(answer)
  const fields = ['jobId', 'pollUrl', 'uploadUrl']
  expect(fieldsOf(answer.body)).toEqual(status === 201 ? fields : ['idempotent', ...fields])
  return answer.body as SubmitResult
}

export const expectJob = (answer: Answer, status?: string): Job => {
  expect(answer.status, answer.text).toBe(200)
  expectJson(answer)
  expect(fieldsOf(answer.body)).toEqual(['downloadUrl', 'error', 'expiresAt', 'jobId', 'status'])
  const job = answer.body as Job
  expect(['queued', 'processing', 'done', 'failed']).toContain(job.status)
  if (status !== undefined) expect(job.status, String(job.error)).toBe(status)
  return job
}

export const expectUsage = (answer: Answer): Usage => {
  expect(answer.status, answer.text).toBe(200)
  expectJson(answer)
  expect(answer.body).toEqual({
    freeTier: { jobsPerMonth: expect.any(Number), jobsRemaining: expect.any(Number) },
    creditsBalance: expect.any(Number),
    currentWindow: {
      windowStart: expect.stringMatching(timestamp),
      account: { jobs: expect.any(Number), bytes: expect.any(Number) },
    },
  })
  return answer.body as Usage
}
