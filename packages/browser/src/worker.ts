import { BrowserConversionError } from './failure.ts'
import type { ConversionRequest, Convert, WorkerReply } from './request.ts'
import type { Family } from './targets.ts'

// Only the code of the family that is needed is loaded.
const loaders: Readonly<Record<Family, () => Promise<{ convert: Convert }>>> = {
  audio: () => import('./audio/convert.ts'),
  archive: () => import('./archives/convert.ts'),
  image: () => import('./images/convert.ts'),
  pdf: () => import('./pdf/convert.ts'),
}

const reply = (message: WorkerReply) => postMessage(message)

addEventListener('message', ({ data }: MessageEvent<ConversionRequest>) => {
  convert(data).then(
    (output) => reply({ output }),
    (failure: Error) => reply({ failure: describe(failure) }),
  )
})

async function convert(request: ConversionRequest): Promise<Blob> {
  const { convert } = await loaders[request.family]()
  return convert(request, (progress) => reply({ progress }))
}

function describe(failure: Error) {
  if (failure instanceof BrowserConversionError) return { code: failure.code, message: failure.message }
  const message = `The browser could not convert the file (${failure.message}). It may lack memory.`
  return { code: 'internal' as const, message }
}
