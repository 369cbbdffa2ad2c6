import { BrowserConversionError } from './failure.ts'
import type { ConversionRequest, WorkerReply } from './request.ts'

export interface Watch {
  signal: AbortSignal | undefined
  onProgress: ((fraction: number) => void) | undefined
}

/**
 * Runs one conversion in a worker that is terminated afterwards, so that all its memory is freed, also after an abort.
 */
export function runInWorker(request: ConversionRequest, { signal, onProgress }: Watch): Promise<Blob> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  return new Promise<Blob>((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    worker.addEventListener('error', () =>
      reject(
        new BrowserConversionError('internal', 'The browser stopped the conversion. It may lack memory.'),
      ),
    )
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerReply>) => {
      if ('progress' in data) onProgress?.(data.progress)
      else if ('output' in data) resolve(data.output)
      else reject(new BrowserConversionError(data.failure.code, data.failure.message))
    })
    worker.postMessage(request, request.bitmap ? [request.bitmap] : [])
  }).finally(() => worker.terminate())
}
