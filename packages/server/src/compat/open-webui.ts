import type { FastifyInstance } from 'fastify'
import { refused } from '../errors.ts'
import type { CompatParts } from './compat-app.ts'
import { answerText } from './errors.ts'
import { extractText, formatOf } from './extract.ts'
import { fileNameOf } from './form.ts'
import { asBuffer, inPool, saveBody, withRequest } from './request.ts'

// Open WebUI's external document loader: PUT /process with the file as the body; the response has one item per page.

export function processRoute(app: FastifyInstance, parts: CompatParts): void {
  app.setErrorHandler((error, request, reply) => answerText(parts.log, error, request, reply))
  app.put('/process', (request, reply) =>
    withRequest(parts, request, async ({ folder, caller }) => {
      const path = await saveBody(request, folder, parts.maxBytes)
      const name = fileNameOf(decoded(String(request.headers['x-filename'] ?? '')))
      const format = await formatOf(path, { name, type: request.headers['content-type'] })
      if (!format) throw refused('bad-request', 'Kiln does not know the format of this file.')
      const markdown = await extractText({ jobs: parts.jobs, folder, caller }, { path, format }, 'md', {
        pageMarks: true,
      })
      const pages = await inPool(parts, caller, markdown.length, 'writePages', markdown, name)
      return reply.type('application/json; charset=utf-8').send(asBuffer(pages))
    }),
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not percent-encoded.
    return text
  }
}
