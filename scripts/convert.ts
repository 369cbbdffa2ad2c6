import '@kiln/converter/resolve-sources'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BadRequestError, ConversionFailedError, FileError, UnknownPairError } from '@kiln/client'
import { type Convert, fileError, formatOfName, readOptionTexts, runCli } from '@kiln/client/cli'
import type { ConversionFailed, Converter } from '@kiln/converter'
import { checkOptions, optionsSchema, outputFormat, type Pair, pairs } from '@kiln/converter/catalog'

// `npm run convert -- in.docx out.pdf`: `kiln convert` without a service. The files go straight through the
// converter, in its sandbox; there is no database, no key and nothing that listens.

const setupFolder = resolve(import.meta.dirname, '../.setup')

// npm goes to the repository's root; the files are named from where the user is.
process.chdir(process.env.INIT_CWD ?? process.cwd())
const interruption = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interruption.abort())

let opened: Promise<Converter> | undefined

async function open(files: number): Promise<Converter> {
  // Loaded when the first file is known to exist, so that a mistake in the command is reported at once.
  const { openConverter } = await import('@kiln/converter')
  const log = { info: () => {}, warn: (message: string) => process.stderr.write(`${message}\n`) }
  return openConverter({
    log,
    scratch: join(setupFolder, 'work'),
    cache: join(setupFolder, 'cache'),
    // A warm LibreOffice takes as long to start as two documents take without it, a second thread as long as the calls of
    // both.
    ...(files > 2 ? { waiting: 1 } : { waiting: 0, threads: 1 }),
  })
}

const openConvert =
  (files: number): Convert =>
  async (
    input,
    {
      from = formatOfName(String(input)),
      to,
      archiveOutput,
      overwrite,
      signal,
      optionTexts,
      onProgress,
      ...more
    },
  ) => {
    const pair = pairs.find((each) => each.from === from && each.to === to)
    if (!pair) throw new UnknownPairError('unknown-pair', `${from} cannot be converted to ${to}.`)
    const options = await readOptions(pair, optionTexts)
    const { contentType } = outputFormat(pair, options ?? {})
    const output = (contentType === 'application/zip' && archiveOutput) || more.output
    if (typeof input === 'string') await checkInput(input)
    if (typeof output === 'string' && !overwrite) await refuseExisting(output)
    opened ??= open(files)
    const converter = await opened
    const showProgress = (fraction: number | null) =>
      onProgress?.({ stage: 'conversion', jobId: '', fraction, loaded: null, total: null })
    showProgress(null)
    try {
      const { bytes, report } = await converter.convertFile({
        pair,
        ...(options ? { options } : {}),
        signal: signal ?? interruption.signal,
        onProgress: showProgress,
        input: typeof input === 'string' ? input : (path) => pipeline(input, createWriteStream(path)),
        output: (path) => deliver(path, output),
      })
      return { jobId: null, bytes, contentType, report }
    } catch (error) {
      if (!isConversionFailed(error)) throw error
      throw new ConversionFailedError(`${error.word}: ${error.message}`, {
        cause: error,
        report: more.report ? (error.report ?? null) : null,
      })
    }
  }

// The class itself comes with the converter, which is read when there is something to convert.
const isConversionFailed = (error: unknown): error is ConversionFailed =>
  error instanceof Error && 'word' in error

async function readOptions(pair: Pair, texts: readonly string[]) {
  const given = await readOptionTexts(texts, async () => ({ options: { ...optionsSchema(pair) } }))
  const checked = given && checkOptions(pair, { ...given })
  if (checked && 'fault' in checked) throw new BadRequestError('bad-request', checked.fault)
  return checked?.options
}

async function deliver(path: string, output: string | WritableStream<Uint8Array>): Promise<void> {
  if (typeof output === 'string') {
    // Not copyFile: root's copy would belong to the engines' user.
    await pipeline(createReadStream(path), createWriteStream(output)).catch((error) => {
      throw fileError('write', output, error)
    })
  } else {
    await Readable.toWeb(createReadStream(path)).pipeTo(output)
  }
}

async function checkInput(path: string): Promise<void> {
  const facts = await stat(path).catch((error) => {
    throw fileError('read', path, error)
  })
  if (facts.isDirectory()) throw new FileError('file', `Cannot read ${path}: it is a folder.`)
}

async function refuseExisting(path: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  )
  if (exists) throw new FileError('file', `Cannot write ${path}: it exists already.`)
}

try {
  process.exitCode = await runCli(['convert', ...process.argv.slice(2)], {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    signal: interruption.signal,
    openConvert,
    convertCommand: 'npm run convert --',
  })
} finally {
  // A file that could not be opened has been reported.
  await opened?.then(
    (converter) => converter.close(),
    () => {},
  )
  process.stdin.unref?.()
}
