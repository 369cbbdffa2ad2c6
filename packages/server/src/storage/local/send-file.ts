import type { IncomingMessage } from 'node:http'
import { basename, dirname } from 'node:path'
import { send } from '@fastify/send'
import { refusedDownload } from '../refused-download.ts'
import type { Download, DownloadRequest } from '../storage.ts'

/** The response to a GET or HEAD of a file. */
export async function sendFile(path: string, request: DownloadRequest): Promise<Download> {
  const file = await send(request as IncomingMessage, encodeURIComponent(basename(path)), {
    root: dirname(path),
    dotfiles: 'deny',
    cacheControl: false,
    index: false,
  })
  // The library's own error responses are HTML pages.
  if (file.type === 'error') {
    throw refusedDownload(file.statusCode, file.headers['Content-Range']) ?? file.metadata.error
  }
  return { status: file.statusCode, headers: file.headers, body: file.stream }
}
