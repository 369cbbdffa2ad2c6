import { Kiln, KilnError } from '@kiln/client'
import { type Answer, isSubmit, type Job, type Library, speakThrough } from './service.ts'

// The suite's calls, made by the client library. Its results and errors are translated back into the response of a
// plain call: so the same tests show that the library loses and changes nothing. Requests that the library cannot send
// are sent as plain calls.

let calls = 0

/** How many calls have been made through the library. */
export const callsThroughClient = (): number => calls

export const speakThroughClient = (): void => speakThrough(library)

const library: Library = {
  operationsOf: (baseUrl, key) => {
    if (key === undefined || !/^[\x21-\x7e]+$/.test(key)) {
      return { formats: () => recorded(baseUrl, null, (kiln) => kiln.formats().then((pairs) => ({ pairs }))) }
    }
    const kiln = new Kiln({ baseUrl, apiKey: key })
    const through = (run: (kiln: Kiln) => Promise<object>) => recorded(baseUrl, key, run)
    return {
      formats: () => through((each) => each.formats().then((pairs) => ({ pairs }))),
      usage: () => through((each) => each.usage()),
      poll: (id, headers) =>
        headers === undefined && /^[\w-]+$/.test(id)
          ? through((each) =>
              each.get(id).then(({ progress: _progress, hasReport: _hasReport, ...job }) => job),
            )
          : null,
      delete: (id) => through((each) => each.delete(id).then(() => ({}))),
      submit: (body, headers = {}) => {
        const { 'idempotency-key': idempotencyKey, ...others } = headers
        if (!isSubmit(body) || Object.keys(others).length > 0) return null
        return through((each) =>
          each
            .submit({ ...body, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) })
            .then(({ idempotencyKey: _key, ...result }) => result),
        )
      },
      ended: async (id, withinMs) => {
        calls++
        const {
          progress: _progress,
          hasReport: _hasReport,
          ...job
        } = await kiln.wait(id, { timeout: withinMs })
        return job satisfies Job
      },
      convert: async (pair, bytes) => {
        calls++
        const { stream } = await kiln.convert(bytes, { pair })
        return new Uint8Array(await new Response(stream).arrayBuffer())
      },
    }
  },
  upload: (uploadUrl, bytes) =>
    recorded(new URL(uploadUrl).origin, null, (kiln) =>
      kiln.upload({ jobId: 'any', uploadUrl }, bytes).then(() => ({})),
    ),
}

async function recorded(
  baseUrl: string,
  apiKey: string | null,
  run: (kiln: Kiln) => Promise<object>,
): Promise<Answer> {
  calls++
  let status = 0
  let headers = new Headers()
  const kiln = new Kiln({
    baseUrl,
    apiKey,
    maxRetries: 0,
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      status = response.status
      headers = response.headers
      return response
    },
  })
  try {
    return answerOf(await run(kiln))
  } catch (error) {
    if (!(error instanceof KilnError) || error.status === null) throw error
    const retryAfter = headers.get('retry-after')
    const seen = [error.status, error.requestId, error.retryAfter]
    const sent = [status, headers.get('request-id'), retryAfter === null ? null : Number(retryAfter)]
    if (seen.join() !== sent.join()) throw new Error(`The library says ${seen}, the service said ${sent}.`)
    return answerOf({ error: error.message, code: error.code })
  }

  function answerOf(body: object): Answer {
    // An upload is answered with nothing.
    const text = Object.keys(body).length === 0 ? '' : JSON.stringify(body)
    return { status, headers, text, body: text === '' ? undefined : body }
  }
}
