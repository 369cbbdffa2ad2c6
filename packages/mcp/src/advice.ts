import { ConversionFailedError, formatNamed, type Kiln, KilnError } from '@kiln/client'
import { PathRefused } from './allowed-folders.ts'

// Error messages with the agent's next step: the text names the call that helps, or says that only the user can help.

export async function adviceOn(error: unknown, kiln: Kiln, pair: string | null): Promise<string> {
  if (error instanceof PathRefused) {
    return `${error.message} Use a path inside the allowed folder, or ask the user to put the file there.`
  }
  if (error instanceof ConversionFailedError) {
    return `The conversion failed. ${error.message} ${failureAdvice[error.reason ?? 'internal']} Nothing was charged.`
  }
  if (!(error instanceof KilnError)) {
    return `Something unexpected went wrong: ${error instanceof Error ? error.message : String(error)}`
  }
  return `${error.message} ${await nextStep(error, kiln, pair)}`.trim()
}

const failureAdvice = {
  'password-protected': 'Ask the user for a copy without a password.',
  'corrupt-input': 'The file is damaged; ask the user for another copy. Trying again will not help.',
  'wrong-format':
    'The content is of another format than its name says. Look at the file, and pass the right `from`.',
  timeout: 'It takes too long. Convert a smaller or simpler part of it.',
  'too-complex': 'Convert a smaller or simpler part of it.',
  unsupported:
    'The file uses something that cannot be converted. Try another target format: call list_formats.',
  cancelled: 'It was cancelled on purpose: ask the user before you call convert_file again.',
  internal: 'It is not the file’s fault: call convert_file once more.',
} as const

async function nextStep(error: KilnError, kiln: Kiln, pair: string | null): Promise<string> {
  switch (error.code) {
    case 'client-pair':
      return clientPairAdvice(pair)
    case 'unknown-pair':
      return unknownPairAdvice(kiln, pair)
    case 'too-large':
      return 'Call list_formats for the largest size of each pair, and convert a smaller part of the file.'
    case 'unauthenticated':
      return 'You cannot fix this: ask the user to put a valid API key into the configuration of this tool server (KILN_API_KEY, or the Authorization header).'
    case 'require-credits':
      return 'You cannot fix this: tell the user to add credits. check_usage shows the balance.'
    case 'forbidden':
      return 'The job belongs to another account; check the id.'
    case 'not-found':
      return 'Check the job id, or start again with convert_file.'
    case 'rate-limited':
    case 'unavailable':
      return `Wait ${Math.ceil(error.retryAfter ?? 30)} seconds, then make the same call again.`
    case 'internal':
      return 'Make the same call again; if it fails again, tell the user.'
    case 'connection':
    case 'unexpected-answer':
      return `Tell the user that the service at ${kiln.baseUrl} does not answer, and ask whether it runs and KILN_URL is right.`
    case 'timeout':
      return 'The service or the way to it is slow: make the same call again in a while.'
    case 'output-expired':
      return 'Call convert_file for the same file again.'
    case 'file':
      return error.message.includes('exists already')
        ? 'Choose another output_path, or pass overwrite: true if the user agreed to replace it.'
        : 'Choose another path.'
    case 'size-mismatch':
      return 'Upload exactly as many bytes as were declared, or call convert_file again with the right number.'
    default:
      return error.jobId === null ? '' : `Go on with check_conversion and job_id ${error.jobId}.`
  }
}

// Alternatives in a browser or a common program.
const localPrograms: readonly { formats: RegExp; advice: string }[] = [
  { formats: /^(zip|tar|gz|tgz|bz2|xz|7z|rar)$/, advice: 'Repack it with `tar`, `zip` or `7z`.' },
  { formats: /^(mp3|wav|flac|ogg|m4a|aac|opus|aiff|wma)$/, advice: 'Use `ffmpeg -i INPUT OUTPUT`.' },
  {
    formats: /^pdf$/,
    advice: 'Use `pdftoppm` to make pictures of pages, `img2pdf` for pictures to PDF, or `qpdf` for pages.',
  },
]

function clientPairAdvice(pair: string | null): string {
  const [from = '', to = ''] = (pair ?? '').split('-to-')
  const found = localPrograms.find(({ formats }) => formats.test(from) || formats.test(to))
  const advice = found?.advice ?? 'Use ImageMagick: `magick INPUT OUTPUT`.'
  return `Kiln leaves this pair to the user’s own machine, where it is free and the file need not be sent anywhere. ${advice} If you cannot run programs, and the error does not say otherwise, tell the user to drop the file on the front page of this Kiln, which converts it in the browser.`
}

async function unknownPairAdvice(kiln: Kiln, pair: string | null): Promise<string> {
  const [from = '', to = ''] = (pair ?? '').split('-to-').map(formatNamed)
  // The advice goes without the list rather than replace the error that it belongs to.
  const pairs = await kiln.formats({ timeout: 5000 }).catch(() => [])
  const targets = pairs.filter((each) => each.from === from).map((each) => each.to)
  if (targets.length === 0) return 'Call list_formats to see what can be converted.'
  const over = targets.find((middle) => pairs.some((each) => each.from === middle && each.to === to))
  const detour = over ? `It can be done in two steps: ${from} to ${over}, then ${over} to ${to}.` : ''
  return detour
}
