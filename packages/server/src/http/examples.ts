import type { Job, Report, SubmitRequest, SubmitResult, UsageSnapshot } from '@kiln/contract'

// Example bodies of the OpenAPI document and the API reference, by operation and status.

const jobId = '0b1f6c52-3f8e-4d55-9c0e-8f6d0b0f6f11'

const submitRequest: SubmitRequest = { pair: 'md-to-html', bytes: 1024 }

const submitResult = (publicUrl: string, prefix: string): SubmitResult => ({
  jobId,
  uploadUrl: `${publicUrl}/files/in/${jobId}?bytes=1024&expires=1794907800&signature=…`,
  pollUrl: `${prefix}/v1/conversions/${jobId}`,
})

const job = (publicUrl: string): Job => ({
  jobId,
  status: 'done',
  downloadUrl: `${publicUrl}/files/out/${jobId}.1?expires=1794911400&signature=…`,
  error: null,
  expiresAt: '2026-11-17T10:30:00.000Z',
})

const counts = { bytes: null, pages: null, words: null, pictures: null, seconds: null }

const report: Report = {
  jobId,
  status: 'done',
  pair: 'docx-to-pdf',
  engine: { name: 'libreoffice', version: '25.2' },
  seconds: 0.84,
  input: { ...counts, bytes: 48_210, words: 2410, pictures: 3 },
  output: { ...counts, bytes: 91_377, pages: 6, words: 2410, pictures: 3 },
  encoding: null,
  fonts: [{ font: 'Calibri', by: 'Carlito', widths: 'same' }],
  recognized: null,
  leftOut: [{ what: 'macros', count: 1 }],
  streams: [],
  warnings: ['The macros of the document are not in the output.'],
  more: { fonts: 0, leftOut: 0, streams: 0, warnings: 0 },
}

const usage: UsageSnapshot = {
  freeTier: { jobsPerMonth: 50, jobsRemaining: 38 },
  creditsBalance: 120,
  currentWindow: { windowStart: '2026-11-01T00:00:00.000Z', account: { jobs: 12, bytes: 4_812_345 } },
}

export const eventExample = {
  type: 'conversion.failed',
  timestamp: '2026-11-17T09:30:00.000Z',
  data: { jobId, pair: 'docx-to-pdf', status: 'failed', error: 'corrupt-input: The file is damaged.' },
}

export interface OperationExamples {
  request?: unknown
  responses: Readonly<Record<string, unknown>>
}

/** By `operationId`. Operations that are missing here have no body, or one that is generated from a table. */
export function operationExamples(publicUrl: string, prefix: string): Record<string, OperationExamples> {
  const submitted = submitResult(publicUrl, prefix)
  return {
    submitConversion: {
      request: submitRequest,
      responses: { 201: submitted, 200: { ...submitted, idempotent: true } },
    },
    getConversion: { responses: { 200: job(publicUrl) } },
    getReport: { responses: { 200: report } },
    getUsage: { responses: { 200: usage } },
  }
}
