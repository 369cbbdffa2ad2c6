import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { refused } from '../errors.ts'
import { unknownKey } from '../http/authenticate.ts'
import { keyHashOf } from './authenticate.ts'
import type { CompatParts } from './compat-app.ts'
import type { Caller } from './convert.ts'
import { type Form, readForm, tooLarge } from './form.ts'

// A request with files: the caller is authenticated first, then the body is streamed to a folder of the request, which
// is removed after the response. A caller that disconnects before that cancels the jobs of the request.

export interface OpenRequest {
  folder: string
  caller: Caller
  /** Called after the response, whether it succeeded or not. */
  onClose(work: () => Promise<unknown>): void
  /**
   * Continues after the response, even when the caller has disconnected; the resources of the request are released when
   * it ends.
   */
  continueAfterResponse(work: () => Promise<unknown>): void
}

/** The key of a caller, and its account. */
export async function requireKey({ defaultKey, keys }: CompatParts, request: FastifyRequest) {
  const keyHash = keyHashOf(request, defaultKey)
  const account = await keys.workingAccountOf(keyHash)
  if (account === null) throw unknownKey()
  return { keyHash, ...account }
}

export async function withRequest<Result>(
  parts: CompatParts,
  request: FastifyRequest,
  use: (open: OpenRequest) => Promise<Result>,
): Promise<Result> {
  const { keyHash, familyId } = await requireKey(parts, request)
  const declared = Number(request.headers['content-length'] ?? parts.maxBytes)
  if (declared > parts.maxBytes) throw tooLarge(parts.maxBytes)
  const held = parts.bodies.take(familyId, declared)
  const gone = new AbortController()
  const closing: (() => Promise<unknown>)[] = []
  const folder = await mkdtemp(join(await parts.folder(), 'request-')).catch((error: unknown) => {
    held.giveBack()
    throw error
  })
  const { socket } = request.raw
  const leave = () => gone.abort(new Error('The caller has disconnected.'))
  socket.once('close', leave)
  let work: () => Promise<unknown> = async () => {}
  const close = async () => {
    socket.off('close', leave)
    await work().catch((error: unknown) =>
      parts.log.error({ err: error, requestId: request.id }, 'request failed'),
    )
    held.giveBack()
    await Promise.allSettled(closing.map((each) => each()))
    await rm(folder, { recursive: true, force: true })
  }
  request.afterResponse(close)
  return use({
    folder,
    caller: { keyHash, owner: familyId, requestId: request.id, signal: gone.signal },
    onClose: (work) => void closing.push(work),
    continueAfterResponse(given) {
      socket.off('close', leave)
      work = given
    },
  })
}

export const withForm = <Result>(
  parts: CompatParts,
  request: FastifyRequest,
  use: (open: OpenRequest & { form: Form }) => Promise<Result>,
): Promise<Result> =>
  withRequest(parts, request, async (open) => {
    const form = await readForm(request.raw, open.folder, parts.maxBytes)
    return use({ ...open, form })
  })

/** A body that is the file itself, possibly compressed with gzip. */
export async function saveBody(request: FastifyRequest, folder: string, maxBytes: number): Promise<string> {
  const path = join(folder, 'body')
  let received = 0
  let excess: Error | undefined
  async function* counted(source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      received += chunk.length
      if (received > maxBytes) {
        excess = tooLarge(maxBytes)
        throw excess
      }
      yield chunk
    }
  }
  const target = createWriteStream(path, { flags: 'wx' })
  const isPacked = request.headers['content-encoding'] === 'gzip'
  try {
    if (isPacked) await pipeline(request.raw, createGunzip(), counted, target)
    else await pipeline(request.raw, counted, target)
  } catch {
    // The streams fail as well, in any order.
    throw (
      excess ??
      refused('bad-request', isPacked ? 'The body is no valid gzip.' : 'The body did not arrive whole.')
    )
  }
  return path
}
