import type { Progress } from '@kiln/client'
import type { ServerContext } from '@modelcontextprotocol/server'

// One scale from 0 to 100 for the whole conversion: upload to 30, conversion to 90, download to 100. It never decreases,
// although a retry may restart a stage.

const spans = { upload: [0, 30], queue: [30, 30], conversion: [30, 90], download: [90, 100] } as const
const words = {
  upload: 'Uploading',
  queue: 'Waiting for its turn',
  conversion: 'Converting',
  download: 'Downloading',
} as const

export function reportTo(context: ServerContext): (progress: Progress) => void {
  const progressToken = context.mcpReq._meta?.progressToken
  if (progressToken === undefined) return () => {}
  let last = -1
  return ({ stage, fraction }) => {
    const [from, to] = spans[stage]
    const progress = Math.floor(from + (to - from) * (fraction ?? 0))
    if (progress <= last) return
    last = progress
    const params = { progressToken, progress, total: 100, message: words[stage] }
    // The host may have disconnected.
    context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}
