import type { FastifyInstance } from 'fastify'
import { minPace, type Pace } from '../conversions/upload-limits.ts'
import { rawErrorAnswer } from './errors.ts'

// A body has to arrive at a minimum rate: a connection that sends a byte a minute is answered with 408 and closed,
// whether its key is valid or not. Uploads of files have the same minimum rate (conversions/accept-upload.ts); there
// the job keeps waiting for another upload.

export function requireBodyPace(
  app: FastifyInstance,
  isUpload: (url: string) => boolean = () => false,
  pace: Pace = minPace,
): void {
  app.addHook('onRequest', ({ raw, id }, _reply, done) => {
    const hasBody =
      raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined
    if (hasBody && !isUpload(raw.url ?? '')) {
      const { socket } = raw
      let before = socket.bytesRead
      const clock = setInterval(() => {
        const arrived = socket.bytesRead - before
        before = socket.bytesRead
        if (raw.complete) return clearInterval(clock)
        if (arrived >= pace.bytes) return
        clearInterval(clock)
        socket.end(rawErrorAnswer('ERR_HTTP_REQUEST_TIMEOUT', id), () => socket.destroy())
      }, pace.milliseconds).unref()
      raw.once('close', () => clearInterval(clock))
    }
    done()
  })
}
