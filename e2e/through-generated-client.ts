import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'openapi-typescript-codegen'
import { type Answer, type Bytes, isSubmit, type Library, type SubmitResult, send } from './service.ts'

// The suite's calls, made by a client that another project's generator makes from the OpenAPI document. The generated
// code gives bodies only; status and headers are recorded beside it.

/** As much of the generated classes as the suite calls. */
interface GeneratedClient {
  formats: { listFormats(): Promise<object>; describePair(pair: string): Promise<object> }
  usage: { getUsage(): Promise<object> }
  conversions: {
    submitConversion(body: object, idempotencyKey?: string): Promise<SubmitResult>
    uploadFile(
      job: string,
      bytes: number,
      expires: number,
      signature: string,
      body: Blob,
    ): Promise<string | undefined>
    getConversion(id: string, prefer?: string): Promise<object>
    getReport(id: string): Promise<object>
    deleteConversion(id: string): Promise<undefined>
  }
}

interface Generated {
  KilnApi: new (settings: { BASE?: string; TOKEN?: string }) => GeneratedClient
  ApiError: new (...some: never[]) => Error & { status: number; body: unknown }
}

export interface GeneratedLibrary extends Library {
  folder: string
  operationsUsed: ReadonlySet<string>
  describePair(pair: string): Promise<Answer>
  remove(): Promise<void>
}

export const generateLibrary = async (baseUrl: string): Promise<GeneratedLibrary> => {
  const description = (await send(`${baseUrl}/openapi.json`)).body as Record<string, unknown>
  const folder = await mkdtemp(join(tmpdir(), 'kiln-generated-'))
  await generate({ input: description, output: folder, clientName: 'KilnApi', useUnionTypes: true })
  const generated = (await import(join(folder, 'index.ts'))) as Generated
  const { recorded, stopRecording } = recordResponses(generated.ApiError)
  const operationsUsed = new Set<string>()

  const clientFor = (key: string | undefined, base = baseUrl) => {
    const client = new generated.KilnApi({ BASE: base, ...(key === undefined ? {} : { TOKEN: key }) })
    return (name: string, run: (client: GeneratedClient) => Promise<object | string | undefined>) => {
      operationsUsed.add(name)
      return recorded(() => run(client))
    }
  }

  return {
    folder,
    operationsUsed,
    operationsOf: (base, key) => {
      if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) return {}
      const call = clientFor(key, base)
      return {
        formats: () => call('listFormats', ({ formats }) => formats.listFormats()),
        usage: () => call('getUsage', ({ usage }) => usage.getUsage()),
        poll: (id, { prefer, ...others } = {}) =>
          Object.keys(others).length === 0 && /^[\w-]+$/.test(id)
            ? call('getConversion', ({ conversions }) => conversions.getConversion(id, prefer))
            : null,
        report: (id) => call('getReport', ({ conversions }) => conversions.getReport(id)),
        delete: (id) => call('deleteConversion', ({ conversions }) => conversions.deleteConversion(id)),
        submit: (body, { 'idempotency-key': idempotencyKey, ...others } = {}) =>
          isSubmit(body) && Object.keys(others).length === 0
            ? call('submitConversion', ({ conversions }) =>
                conversions.submitConversion(body, idempotencyKey),
              )
            : null,
      }
    },
    describePair: (pair) => clientFor(undefined)('describePair', ({ formats }) => formats.describePair(pair)),
    upload: (uploadUrl, bytes) => uploadThrough(clientFor, uploadUrl, bytes),
    remove: async () => {
      stopRecording()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Call = (
  name: string,
  run: (client: GeneratedClient) => Promise<object | string | undefined>,
) => Promise<Answer>

/** The OpenAPI document gives the upload its own address, which the generator leaves to its caller. */
const uploadThrough = (
  clientFor: (key: string | undefined, base: string) => Call,
  uploadUrl: string,
  bytes: Bytes,
): Promise<Answer> => {
  const { origin, pathname, searchParams } = new URL(uploadUrl)
  const query = (name: string) => searchParams.get(name) ?? ''
  const job = pathname.split('/').at(-1) ?? ''
  return clientFor(undefined, origin)('uploadFile', ({ conversions }) =>
    conversions.uploadFile(
      job,
      Number(query('bytes')),
      Number(query('expires')),
      query('signature'),
      new Blob([bytes]),
    ),
  )
}

/** Generated code calls the global `fetch`; the response of each call is kept beside it. */
const recordResponses = (ApiError: Generated['ApiError']) => {
  const plainFetch = globalThis.fetch
  const seen = new AsyncLocalStorage<{ response?: Response }>()
  globalThis.fetch = async (...request) => {
    const response = await plainFetch(...request)
    const kept = seen.getStore()
    if (kept) kept.response = response
    return response
  }
  const recorded = (run: () => Promise<object | string | undefined>): Promise<Answer> => {
    const kept: { response?: Response } = {}
    return seen.run(kept, async () => {
      const body = await run().catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.status !== kept.response?.status) throw error
        return error.body
      })
      if (!kept.response) throw new Error('The generated client sent nothing.')
      const { status, headers } = kept.response
      // An upload gives its ETag in place of a body.
      const json = typeof body === 'object' ? body : undefined
      return { status, headers, text: json ? JSON.stringify(json) : '', body: json ?? undefined }
    })
  }
  return {
    recorded,
    stopRecording: () => {
      globalThis.fetch = plainFetch
    },
  }
}
