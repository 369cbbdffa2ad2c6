import { createHash } from 'node:crypto'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ConversionFailed,
  type Converter,
  type ConverterOptions,
  type ConvertRequest,
  openConverter,
} from '@kiln/converter'
import { type FormatName, formats, type Pair, pairs } from '@kiln/converter/catalog'

// The converter as its users open it, with a folder for the outputs.

export interface TestConverter {
  converter: Converter
  /** For the files of the test; removed with the converter. */
  folder: string
  /** The path of the output. */
  convert(content: Content, from: FormatName, to: FormatName, options?: Options): Promise<string>
  /** `word: sentence`, as a job's error reads. Throws when the conversion succeeds. */
  failure(content: Content, from: FormatName, to: FormatName, options?: Options): Promise<string>
  close(): Promise<void>
}

/** The content of the file, or its path. */
export type Content = Uint8Array | string | { path: string }
type Options = Pick<ConvertRequest, 'signal' | 'onProgress' | 'options' | 'style'>

const quiet = { info: () => {}, warn: () => {} }

/** Kept from test file to test file: filling in a profile of LibreOffice takes seconds. Each checkout has its own. */
const checkout = createHash('sha256')
  .update(import.meta.dirname)
  .digest('hex')
  .slice(0, 8)
const cache = join(tmpdir(), `kiln-test-cache-${process.getuid?.()}-${checkout}`)

export async function openTestConverter({
  withPool = false,
  ...options
}: Partial<ConverterOptions> & {
  /** Every document gets a pre-warmed process of its engine. */
  withPool?: boolean
} = {}): Promise<TestConverter> {
  const folder = await temporaryFolder()
  const converter = await openConverter({ log: quiet, scratch: join(folder, 'work'), cache, ...options })
  const close = async () => {
    await converter.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { ...conversionsInto(folder, converter, withPool), close }
}

/** An open converter with another folder, which is all that its `close` removes. */
export async function openFolderFor(converter: Converter): Promise<TestConverter> {
  const folder = await temporaryFolder()
  const close = () => rm(folder, { recursive: true, force: true })
  return { ...conversionsInto(folder, converter), close }
}

const temporaryFolder = () => mkdtemp(join(tmpdir(), 'kiln-test-converter-'))

function conversionsInto(
  folder: string,
  converter: Converter,
  withPool = false,
): Omit<TestConverter, 'close'> {
  let made = 0
  const convert: TestConverter['convert'] = async (content, from, to, rest) => {
    made += 1
    if (withPool) await waitReady(converter)
    const output = join(folder, `output-${made}.${formats[to].extension}`)
    const input = (path: string) =>
      typeof content === 'object' && 'path' in content
        ? copyFile(content.path, path)
        : writeFile(path, content)
    await converter.convertFile({ ...rest, pair: pairOf(from, to), input, output })
    return output
  }
  return {
    converter,
    folder,
    convert,
    async failure(...args) {
      try {
        await convert(...args)
      } catch (error) {
        if (error instanceof ConversionFailed) return `${error.word}: ${error.message}`
        throw error
      }
      throw new Error('The conversion succeeded.')
    },
  }
}

async function waitReady(converter: Converter): Promise<void> {
  await converter.prepare()
  const states = converter.waiting()
  if (states.length === 0 || states.some(({ ready }) => ready === 0))
    throw new Error(`No pre-warmed process is ready: ${JSON.stringify(states)}`)
}

export function pairOf(from: FormatName, to: FormatName): Pair {
  const found = pairs.find(({ slug }) => slug === `${from}-to-${to}`)
  if (!found) throw new Error(`There is no pair ${from}-to-${to}.`)
  return found
}

export const pairsOf = (name: string): Pair[] => pairs.filter(({ engine }) => engine === name)

export const officeFile = (name: string): Promise<Buffer> =>
  readFile(new URL(`./office/${name}`, import.meta.url))
