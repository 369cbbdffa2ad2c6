import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refused } from '../../errors.ts'
import type { CompatParts } from '../compat-app.ts'
import { answerText } from '../errors.ts'
import { fileNameOf } from '../form.ts'
import { type Output, sendOutput, type WholeOutput, wholeOutput } from '../outputs.ts'
import { withForm } from '../request.ts'
import { convertPage } from './chromium.ts'
import { InvalidForm } from './fields.ts'
import { convertDocuments } from './libreoffice.ts'
import { pdfRoutes, processPdfs, readPdfs } from './pdf-engines.ts'
import { readWebhook, runWithWebhook } from './webhook.ts'
import { openWork, type Work } from './work.ts'

// Gotenberg's API. Errors are plain text with Gotenberg's status codes.

interface Handling<Result> {
  use: (work: Work) => Promise<Result>
  answer: (work: Work, result: Result) => Promise<FastifyReply>
  /** The result as one file, for a webhook; undefined on routes that answer with JSON. */
  whole?: (work: Work, result: Result) => WholeOutput
}

export function gotenbergRoutes(app: FastifyInstance, parts: CompatParts): void {
  app.setErrorHandler((error, request, reply) => answerText(parts.log, error, request, reply))

  const handle = <Result>(
    request: FastifyRequest,
    reply: FastifyReply,
    { use, answer, whole }: Handling<Result>,
  ) =>
    withForm(parts, request, async ({ form, folder, caller, onClose, continueAfterResponse }) => {
      refuseFetching(form.fields)
      const webhook = readWebhook(request, parts.webhooks.checkUrl)
      const outputName = nameOf(request)
      const work = openWork({ form, folder, outputName, requestId: request.id }, parts.jobs.convert, caller)
      onClose(work.close)
      if (!webhook) return answer(work, await use(work))
      const trace = String(reply.getHeader('gotenberg-trace'))
      continueAfterResponse(() =>
        runWithWebhook(parts, webhook, trace, async () => {
          if (!whole) throw new InvalidForm(noFile)
          return whole(work, await use(work))
        }),
      )
      return reply.code(204).send()
    })

  const post = (path: string, use: (work: Work) => Promise<Output>) =>
    app.post(path, (request, reply) =>
      handle(request, reply, {
        use,
        answer: (work, output) => sendOutput(reply, output, work.baseName),
        whole: (work, output) => wholeOutput(output, work.baseName),
      }),
    )
  const json = { 'content-type': 'application/json' }
  const read = (path: string, what: 'metadata' | 'bookmarks') =>
    app.post(path, (request, reply) =>
      handle(request, reply, {
        use: (work) => readPdfs(work, what),
        answer: async (_, found) => reply.headers(json).send(found),
      }),
    )

  post('/forms/libreoffice/convert', convertDocuments)
  post('/forms/chromium/convert/html', (work) => convertPage(work, 'html'))
  post('/forms/chromium/convert/markdown', (work) => convertPage(work, 'markdown'))
  for (const [name, route] of Object.entries(pdfRoutes))
    post(`/forms/pdfengines/${name}`, (work) => processPdfs(work, route))
  read('/forms/pdfengines/metadata/read', 'metadata')
  read('/forms/pdfengines/bookmarks/read', 'bookmarks')
  for (const [path, why] of Object.entries(refusedRoutes))
    app.post(path, (request) =>
      withForm(parts, request, async ({ form }) => {
        const isLocal = form.fields.get('url')?.[0]?.startsWith('file:')
        throw isLocal
          ? new InvalidForm(noFiles)
          : refused(why === noNetwork ? 'forbidden' : 'bad-request', why)
      }),
    )
}

const noFile =
  'The webhook middleware can only work with multipart/form-data routes that results in output files'
const noNetwork =
  'Kiln does not fetch web pages: upload the page and what it needs to /forms/chromium/convert/html.'
const noFiles =
  'file:// URLs are not accepted on this route. Use the /convert/html or /convert/markdown routes to render local HTML'
const noPictures = 'Kiln does not make screenshots. It prints pages: use /forms/chromium/convert/html.'

const refusedRoutes: Readonly<Record<string, string>> = {
  '/forms/chromium/convert/url': noNetwork,
  '/forms/chromium/screenshot/url': noNetwork,
  '/forms/chromium/screenshot/html': noPictures,
  '/forms/chromium/screenshot/markdown': noPictures,
  '/forms/pdfengines/optimize': 'Kiln does not recompress the images of a PDF.',
  '/forms/pdfengines/factur-x': 'Kiln does not make Factur-X invoices. Make the PDF/A-3 with another tool.',
}

/** Refuses fields that need network access. */
function refuseFetching(fields: ReadonlyMap<string, readonly string[]>): void {
  if (fields.has('downloadFrom'))
    throw new InvalidForm("Kiln does not download files ('downloadFrom'). Upload them in the form.")
  if (/^(1|t|true)$/i.test(fields.get('optimizeImages')?.[0] ?? ''))
    throw new InvalidForm("Kiln does not recompress the images of a PDF. Remove 'optimizeImages'.")
  for (const name of ['facturxConformanceLevel', 'facturxDocumentType'])
    if (fields.has(name)) throw new InvalidForm(`Kiln does not make Factur-X invoices. Remove '${name}'.`)
}

/** Gotenberg-Output-Filename, without a path. */
function nameOf({ headers }: FastifyRequest): string | undefined {
  const given = headers['gotenberg-output-filename']
  return (typeof given === 'string' && fileNameOf(Buffer.from(given, 'latin1').toString('utf8'))) || undefined
}
