import { formats } from '@kiln/converter/catalog'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refused } from '../errors.ts'
import type { CompatParts } from './compat-app.ts'
import { logFailure, toCompatAnswer } from './errors.ts'
import {
  type Extraction,
  extractProperties,
  extractText,
  formatOf,
  type Source,
  type TextFormat,
} from './extract.ts'
import { asBuffer, inPool, type OpenRequest, saveBody, withForm, withRequest } from './request.ts'

// Tika's API: the text and the metadata of a document. The file is the body, or a part of a form.

export function tikaRoutes(app: FastifyInstance, parts: CompatParts): void {
  app.setErrorHandler((error, request, reply) => {
    const { status, message, headers } = toCompatAnswer(error)
    logFailure(parts.log, status, error, request)
    // Tika answers 422 for a document that it cannot parse.
    reply.code(status === 400 ? 422 : status).headers(headers)
    reply.header('content-type', 'text/plain; charset=UTF-8').send(message)
  })

  const fromBody = <Result>(
    request: FastifyRequest,
    use: (open: OpenRequest, source: Source) => Promise<Result>,
  ) =>
    withRequest(parts, request, async (open) => {
      const path = await saveBody(request, open.folder, parts.maxBytes)
      return use(open, await sourceOf(path, nameOf(request), request.headers['content-type']))
    })

  const fromForm = <Result>(
    request: FastifyRequest,
    use: (open: OpenRequest, source: Source) => Promise<Result>,
  ) =>
    withForm(parts, request, async ({ form, ...open }) => {
      const file = form.files[0]
      if (!file) throw refused('bad-request', 'The form holds no file.')
      return use(open, await sourceOf(file.path, file.name, undefined))
    })

  const extraction = (open: OpenRequest) => extractionOf(parts, open)

  const sendText =
    (reply: FastifyReply, request: FastifyRequest, as: Answer) =>
    async (open: OpenRequest, source: Source) => {
      const accepted = request.headers.accept ?? ''
      const wantsJson = as === 'json' || /application\/json/.test(accepted)
      const isHtml = as === 'html' || (as === 'text' && !wantsJson && /text\/(?:html|xml)/.test(accepted))
      const to: TextFormat = isHtml ? 'html' : 'txt'
      const content = await extractText(extraction(open), source, to)
      if (!wantsJson)
        return reply.header('content-type', `text/${isHtml ? 'html' : 'plain'}; charset=UTF-8`).send(content)
      return sendDocument(parts, reply, open, source, content, 'object')
    }

  const sendMeta = (reply: FastifyReply) => async (open: OpenRequest, source: Source) =>
    reply.send({ ...describe(source), ...(await extractProperties(extraction(open), source)) })

  for (const [path, as] of Object.entries(textPaths)) {
    app.put(path, (request, reply) => fromBody(request, sendText(reply, request, as)))
    const form = path.replace('/tika', '/tika/form')
    app.post(form, (request, reply) => fromForm(request, sendText(reply, request, as)))
  }
  app.put('/meta', (request, reply) => fromBody(request, sendMeta(reply)))
  app.post('/meta/form', (request, reply) => fromForm(request, sendMeta(reply)))
  const sendAll = (reply: FastifyReply) => async (open: OpenRequest, source: Source) => {
    const content = await extractText(extraction(open), source, 'txt')
    return sendDocument(parts, reply, open, source, content, 'list')
  }
  for (const path of ['/rmeta', '/rmeta/text']) {
    app.put(path, (request, reply) => fromBody(request, sendAll(reply)))
    app.post(path.replace('/rmeta', '/rmeta/form'), (request, reply) => fromForm(request, sendAll(reply)))
  }
  app.put('/detect/stream', (request, reply) =>
    fromBody(request, async (_, source) => reply.header('content-type', 'text/plain').send(typeOf(source))),
  )
  app.get('/tika', async (_request, reply) =>
    reply
      .header('content-type', 'text/plain; charset=UTF-8')
      .send('This is Tika Server, answered by Kiln. Please PUT\n'),
  )
}

const extractionOf = ({ jobs }: CompatParts, { folder, caller }: OpenRequest): Extraction => ({
  jobs,
  folder,
  caller,
})

/** The text together with the properties. */
async function sendDocument(
  parts: CompatParts,
  reply: FastifyReply,
  open: OpenRequest,
  source: Source,
  content: string,
  as: 'object' | 'list',
) {
  const found = await extractProperties(extractionOf(parts, open), source)
  const properties = { ...describe(source), ...found }
  const { caller } = open
  const answer = await inPool(parts, caller, content.length, 'writeTikaAnswer', properties, content, as)
  return reply.type('application/json; charset=utf-8').send(asBuffer(answer))
}

/**
 * How the text is sent. A caller that accepts JSON gets JSON from every route, and one that accepts HTML gets HTML from
 * `text`.
 */
type Answer = 'text' | 'html' | 'json'

const textPaths: Readonly<Record<string, Answer>> = {
  '/tika': 'text',
  '/tika/text': 'json',
  '/tika/html': 'html',
  '/tika/main': 'text',
}

async function sourceOf(path: string, name: string, type: string | undefined): Promise<Source> {
  const format = await formatOf(path, { name, type })
  if (!format) throw refused('bad-request', 'Kiln does not know the format of this file.')
  return { path, format }
}

/** Some clients name the file in Content-Disposition. */
const nameOf = ({ headers }: FastifyRequest): string =>
  /filename\*?=(?:UTF-8'')?"?([^";]+)/i.exec(headers['content-disposition'] ?? '')?.[1] ?? ''

const typeOf = ({ format }: Source): string => formats[format].contentType.split(';', 1)[0] ?? ''

const describe = (source: Source) => ({
  'Content-Type': typeOf(source),
  'X-TIKA:Parsed-By': ['kiln'],
})
