import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { FormatName } from '@kiln/converter/catalog'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refused } from '../errors.ts'
import type { CompatParts } from './compat-app.ts'
import { type Caller, JobFailed } from './convert.ts'
import {
  type DoclingFormat,
  type DoclingOptions,
  InvalidOptions,
  readDoclingOptions,
} from './docling-options.ts'
import { logFailure, toCompatAnswer } from './errors.ts'
import { extractText, formatOf, optionsFor, pairsTo } from './extract.ts'
import type { FormFile } from './form.ts'
import type { DoclingDocument } from './large-json.ts'
import { sendOutput } from './outputs.ts'
import { asBuffer, inPool, type OpenRequest, requireKey, saveBody, withForm, withRequest } from './request.ts'

// docling-serve's API: documents as Markdown, HTML, text or JSON. A task of the asynchronous routes is a job of Kiln.
// The task id includes how to present the result, so that any process can answer for it.

interface Upload {
  name: string
  path: string
}

export function doclingRoutes(app: FastifyInstance, parts: CompatParts): void {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof InvalidOptions)
      return reply.code(422).send({ detail: [{ loc: ['body'], msg: error.message, type: 'value_error' }] })
    const { status, message, headers } = toCompatAnswer(error)
    logFailure(parts.log, status, error, request)
    // docling-serve answers 504 to a conversion that takes too long.
    const isLate = error instanceof JobFailed && error.word === 'timeout'
    return reply
      .code(isLate ? 504 : status)
      .headers(headers)
      .send({ detail: message })
  })

  const convertAll = async (
    open: OpenRequest,
    reply: FastifyReply,
    uploads: readonly Upload[],
    options: DoclingOptions,
  ) => {
    if (uploads.length === 0) throw new InvalidOptions('There is no file to convert.')
    const began = performance.now()
    const documents = await Promise.all(uploads.map((upload) => convertOne(parts, open, upload, options)))
    const [first] = documents
    if (first && documents.length === 1)
      return sendAnswer(parts, open.caller, reply, first, (performance.now() - began) / 1000)
    const files = await Promise.all(documents.map((document) => filesOf(parts, open.caller, document)))
    return sendOutput(reply, { files: files.flat() }, 'converted_docs')
  }

  const start = async (
    open: OpenRequest,
    reply: FastifyReply,
    uploads: readonly Upload[],
    options: DoclingOptions,
  ) => {
    const [upload] = uploads
    const [to] = options.formats
    if (!upload || uploads.length > 1 || !to || options.formats.length > 1 || to === 'json')
      throw new InvalidOptions(
        'A task takes one file and one of the formats md, html and text. Use the synchronous route for more.',
      )
    const format = await knownFormat(upload)
    const [pair, ...further] = pairsTo(format, textFormats[to]) ?? []
    if (pair === undefined || further.length > 0)
      throw new InvalidOptions(
        `Kiln does not convert ${format} to ${to} in one task. Use the synchronous route.`,
      )
    const input = { pair, path: upload.path, options: optionsFor(pair, options.conversion) }
    const jobId = await parts.jobs.start(input, open.caller)
    return reply.send(
      taskOf(
        `${jobId}.${encodeTask({ name: upload.name, to, placeholder: options.placeholder })}`,
        'pending',
      ),
    )
  }

  const uploadsOf = (files: readonly FormFile[]): Upload[] => files.map(({ name, path }) => ({ name, path }))
  for (const [suffix, answer] of [
    ['', convertAll],
    ['/async', start],
  ] as const) {
    app.post(`/v1/convert/file${suffix}`, (request, reply) =>
      withForm(parts, request, ({ form, ...open }) =>
        answer(open, reply, uploadsOf(form.files), readDoclingOptions(form.fields)),
      ),
    )
    app.post(`/v1/convert/source${suffix}`, (request, reply) =>
      withRequest(parts, request, async (open) => {
        const { uploads, options } = await readSources(parts, request, open)
        return answer(open, reply, uploads, options)
      }),
    )
  }

  type Task = { Params: { id: string } }
  app.get<Task>('/v1/status/poll/:id', async (request) => {
    const { caller, jobId } = await taskOfRequest(parts, request)
    try {
      return taskOf(request.params.id, (await parts.jobs.look(jobId, caller)) ? 'success' : 'started')
    } catch (error) {
      if (error instanceof JobFailed) return taskOf(request.params.id, 'failure')
      throw error
    }
  })
  app.get<Task>('/v1/result/:id', async (request, reply) => {
    const { caller, jobId, task } = await taskOfRequest(parts, request)
    const converted = await parts.jobs.look(jobId, caller)
    if (!converted) throw refused('not-found', 'The task has no result yet.')
    const content = await text(await converted.open())
    const document = {
      name: task.name,
      contents: new Map([[task.to, content]]),
      placeholder: task.placeholder,
    }
    return sendAnswer(parts, caller, reply, document, 0)
  })
}

const textFormats = { md: 'md', html: 'html', text: 'txt' } as const

async function knownFormat({ path, name }: Upload): Promise<FormatName> {
  const format = await formatOf(path, { name })
  if (!format) throw refused('bad-request', `Kiln does not know the format of '${name}'.`)
  return format
}

async function convertOne(
  parts: CompatParts,
  { folder, caller }: OpenRequest,
  upload: Upload,
  options: DoclingOptions,
): Promise<DoclingDocument> {
  const source = { path: upload.path, format: await knownFormat(upload) }
  const contents: DoclingDocument['contents'] = new Map()
  for (const to of options.formats) {
    const content = await extractText(
      { jobs: parts.jobs, folder, caller },
      source,
      textFormats[to === 'json' ? 'md' : to],
      options.conversion,
    )
    contents.set(to, content)
  }
  return { name: upload.name, contents, placeholder: options.placeholder }
}

const extensions = { md: 'md', html: 'html', text: 'txt', json: 'json' } as const

const bytesOf = ({ contents }: DoclingDocument) =>
  [...contents.values()].reduce((sum, { length }) => sum + length, 0)

async function sendAnswer(
  parts: CompatParts,
  caller: Caller,
  reply: FastifyReply,
  document: DoclingDocument,
  seconds: number,
) {
  const answer = await inPool(parts, caller, bytesOf(document), 'writeDoclingAnswer', document, seconds)
  return reply.type('application/json; charset=utf-8').send(asBuffer(answer))
}

const filesOf = (parts: CompatParts, caller: Caller, document: DoclingDocument) =>
  Promise.all(
    [...document.contents.keys()].map(async (to) => {
      const data = await inPool(parts, caller, bytesOf(document), 'writeDoclingFile', document, to)
      const stem = basename(document.name).replace(/\.[^.]+$/, '')
      return {
        name: `${stem}.${extensions[to]}`,
        bytes: data.length,
        open: async () => Readable.from([asBuffer(data)]),
      }
    }),
  )

/** The body is parsed as a whole. Larger files must be sent as a form. */
const longestJson = 16 * 1024 * 1024

/** Reads JSON with the files in base64. Files that would have to be fetched are refused. */
async function readSources(parts: CompatParts, request: FastifyRequest, { folder, caller }: OpenRequest) {
  const path = await saveBody(request, folder, longestJson)
  const { size } = await stat(path)
  const found = await inPool(parts, caller, size, 'unpackSources', path, folder)
  if (found === null)
    throw new InvalidOptions(
      'The body is not the JSON of a request, names more than 100 files or has options of more than 64 KB.',
    )
  if (found.asksToFetch)
    throw refused(
      'forbidden',
      'Kiln does not fetch documents from the network. Send the file itself, in base64.',
    )
  return { uploads: found.uploads, options: readDoclingOptions(new Map(found.options)) }
}

interface TaskDetails {
  name: string
  to: DoclingFormat
  placeholder: string
}

const taskOf = (task_id: string, task_status: string) => ({
  task_id,
  task_type: 'convert',
  task_status,
  task_position: null,
  task_meta: null,
})
const encodeTask = (details: TaskDetails) => Buffer.from(JSON.stringify(details)).toString('base64url')

/** Undefined for an id that this service did not issue. */
function decodeTask(encoded: string): TaskDetails | undefined {
  try {
    const { name, to, placeholder } = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'))
    const isTask =
      typeof name === 'string' && typeof placeholder === 'string' && Object.hasOwn(textFormats, to)
    return isTask ? { name, to, placeholder } : undefined
  } catch {
    // Not the JSON that this service encodes.
    return undefined
  }
}

async function taskOfRequest(parts: CompatParts, request: FastifyRequest<{ Params: { id: string } }>) {
  const { keyHash, familyId } = await requireKey(parts, request)
  const [jobId = '', details = ''] = request.params.id.split('.')
  const task = decodeTask(details)
  if (!task) throw refused('not-found', 'There is no task with this id.')
  const { signal } = new AbortController()
  return { jobId, task, caller: { keyHash, owner: familyId, requestId: request.id, signal } }
}
