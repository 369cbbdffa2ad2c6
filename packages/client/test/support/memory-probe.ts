import { Kiln } from '../../src/index.ts'

// Runs as a separate process with a small heap. Sends a large file, or fetches a large output from a given address, and
// prints the peak growth of its memory in megabytes.

const [direction, place = '', output = ''] = process.argv.slice(2)
const link = { jobId: 'j', status: 'done', downloadUrl: place, error: null, expiresAt: null }
const kiln = new Kiln(
  direction === 'download'
    ? { fetch: (url, init) => (url === place ? fetch(url, init) : Promise.resolve(Response.json(link))) }
    : {},
)
// Everything that is loaded once is loaded now.
await kiln.formats({ timeout: 1000 }).catch(() => {})
const before = process.memoryUsage().rss
let peak = before
const timer = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss)
}, 20)

if (direction === 'download') await kiln.download('j', { output })
else {
  const error = await kiln.convert(place, { pair: 'mov-to-mp4' }).catch((reason: unknown) => reason)
  // Zeros are no video: it was all sent, and then refused.
  if (!(error instanceof Error) || error.name !== 'ConversionFailedError') throw error
}
clearInterval(timer)
console.log(Math.round((peak - before) / 1024 / 1024))
