import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { ConversionFailed } from '@kiln/converter/worker-pool'
import type { FastifyRequest } from 'fastify'
import { hashKey, isWellFormedKey } from '../accounts/api-key.ts'
import { refused } from '../errors.ts'
import { unknownKey } from '../http/authenticate.ts'
import type { CompatParts } from './compat-app.ts'
import { type Caller, JobFailed } from './convert.ts'
import { type Form, readForm, tooLarge } from './form.ts'
import type * as largeJson from './large-json.ts'

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

// The API key of a caller of a compatibility API: a bearer token, the header X-Api-Key or the password of basic
// authentication. Callers without a key use the account that the operator has configured for them, if any.

const challenge = { 'www-authenticate': 'Basic realm="kiln"' }

function keyHashOf(request: Pick<FastifyRequest, 'headers'>, defaultKey: string | null): Buffer {
  const key = givenKey(request) ?? defaultKey
  if (key === null)
    throw refused(
      'unauthenticated',
      'This call needs an API key: as a bearer token, in the header X-Api-Key or as the password of basic authentication.',
      challenge,
    )
  if (!isWellFormedKey(key))
    throw refused('unauthenticated', 'This is not an API key of Kiln. Was it copied whole?', challenge)
  return hashKey(key)
}

function givenKey({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const named = headers['x-api-key']
  if (typeof named === 'string' && named !== '') return named
  const [scheme = '', value = ''] = (headers.authorization ?? '').split(/ +/, 2)
  if (/^bearer$/i.test(scheme) && value !== '') return value
  if (!/^basic$/i.test(scheme)) return null
  const [, ...password] = Buffer.from(value, 'base64').toString('utf8').split(':')
  return password.join(':') || null
}

type Functions = typeof largeJson

const module = import.meta.resolve('./large-json.ts')

/**
 * Runs a function on this many bytes of a caller in the worker pool; the CPU time is charged to the caller's budget.
 */
export function inPool<Name extends keyof Functions>(
  { workers, cpuBudget }: Pick<CompatParts, 'workers' | 'cpuBudget'>,
  { owner, signal }: Pick<Caller, 'owner' | 'signal'>,
  bytes: number,
  name: Name,
  ...args: Parameters<Functions[Name]>
) {
  const charge = (seconds: number) => cpuBudget.charge(owner, seconds)
  return cpuBudget.run(owner, signal, async () => {
    try {
      return await workers.forFile({ bytes, owner, signal, charge })<Functions[Name]>(module, name, ...args)
    } catch (error) {
      if (error instanceof ConversionFailed) throw new JobFailed(error.word, error.message)
      throw error
    }
  })
}

/** The same bytes as a Buffer, without a copy. */
export const asBuffer = ({ buffer, byteOffset, length }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, length)
