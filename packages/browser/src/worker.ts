import { BrowserConversionError, damaged } from './failure.ts'
import { encodeImage } from './images/encode.ts'
import type { WorkerReply, WorkerRequest } from './run-in-worker.ts'

const reply = (message: WorkerReply) => postMessage(message)

addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  convert(data).then(
    (output) => reply({ output }),
    (failure: Error) => reply({ failure: describe(failure) }),
  )
})

async function convert({ input, source, ...options }: WorkerRequest): Promise<Blob> {
  reply({ progress: 0.1 })
  const bitmap = input instanceof ImageBitmap ? input : await decode(input, source)
  reply({ progress: 0.4 })
  return encodeImage(bitmap, {
    ...options,
    onProgress: (fraction) => reply({ progress: 0.4 + 0.6 * fraction }),
  })
}

async function decode(file: Blob, source: string): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file)
  } catch {
    throw damaged(source)
  }
}

function describe(failure: Error) {
  if (failure instanceof BrowserConversionError) return { code: failure.code, message: failure.message }
  const message = `The browser could not convert the image (${failure.message}). It may lack memory.`
  return { code: 'internal' as const, message }
}
