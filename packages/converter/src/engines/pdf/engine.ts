import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { openArtifact } from '../../artifact.ts'
import { formats } from '../../catalog/formats.ts'
import {
  archivalOptions,
  defaultStandard,
  neverRecognise,
  pdfOptions,
} from '../../catalog/options/from-pdf.ts'
import { argumentsOf } from '../../catalog/options/option.ts'
import { nativeHelpers } from '../../native-helpers.ts'
import type { PrewarmedProgram } from '../../sandbox/prewarmed-process.ts'
import type { Limits } from '../../sandbox/sandbox.ts'
import { askVersion } from '../ask-version.ts'
import type { Engine, EngineParts, EngineRun } from '../engine.ts'
import { makeArchival } from './archival.ts'
import { failureOf } from './failure.ts'
import { pdfFindings } from './findings.ts'

// PDF to Word, Markdown and HTML, its tables to sheets and CSV, pictures of pages to text, both to PDF/A. Runs Kiln's
// own program (packages/pdf) in the sandbox like every engine. It can be pre-warmed: then PDFium is compiled and a
// warm-up page has been converted. The sandbox contains the Node binary, the bundled program and its one dependency,
// and no other file of Kiln.

const program = dirname(fileURLToPath(import.meta.resolve('@kiln/pdf/package.json')))
// Its entry point is in dist/; the package is the parent directory.
const pdfium = dirname(dirname(createRequire(join(program, 'package.json')).resolve('@embedpdf/pdfium')))
const bundle = openArtifact(pathToFileURL(join(program, 'build')))
const { version } = createRequire(import.meta.url)('@kiln/pdf/package.json') as { version: string }
const home = '/kiln/pdf'

/** Makes tesseract faster; recognition works without it. */
const fastStart = join(nativeHelpers, 'kiln-tesseract.so')
const fastStartInside = '/kiln/tesseract.so'
const hasFastStart = existsSync(fastStart)

const megabyte = 1024 * 1024
const deadlineSeconds = 280

const limits: Limits = {
  wallSeconds: 300,
  cpuSeconds: 400,
  // Address space: Node and the WebAssembly of PDFium reserve much more than they use.
  memoryBytes: 20 * 1024 * megabyte,
  processes: 64,
  fileBytes: 256 * megabyte,
  diskBytes: 512 * megabyte,
  logBytes: 64 * 1024,
}

// Guard pages for wasm reserve ten gigabytes of address space; checks in the code do without.
const nodeFlags = ['--disable-wasm-trap-handler', '--no-warnings']

const reader: PrewarmedProgram = {
  program: '/kiln/node',
  args: [...nodeFlags, `${home}/build/main.js`, '--wait'],
  readOnly: [
    { from: process.execPath, to: '/kiln/node' },
    { from: join(program, 'package.json'), to: `${home}/package.json` },
    { from: bundle, to: `${home}/build` },
    { from: pdfium, to: `${home}/node_modules/@embedpdf/pdfium` },
    ...(hasFastStart ? [{ from: fastStart, to: fastStartInside }] : []),
  ],
  environment: {
    // Node would look for one in /etc, which is not in the sandbox.
    OPENSSL_CONF: '/dev/null',
    // Node does not use the library, and passes it to tesseract.
    ...(hasFastStart ? { LD_PRELOAD: fastStartInside } : {}),
  },
  limits,
}

export const createPdfEngine = (parts: EngineParts): Engine => ({
  name: 'pdf',
  // A scanned page takes four seconds to recognise, and a megabyte may hold a hundred of them.
  budget: { seconds: 30, secondsPerMegabyte: 400 },

  async convert(run) {
    refuseWithoutBundle()
    run.note({ version })
    const { args = [] } = argumentsOf(pdfOptions, run.pair, run.options)
    if (run.to === 'pdfa') return convertToArchive(run, args)
    const outputName = `output.${formats[run.to].extension}`
    await runProgram(run, outputName, args)
    return outputName
  },

  prewarmedPrograms: async () => [reader],

  // It is part of the service, but has to be bundled: plain sources would start, and cost twice as much.
  async version() {
    refuseWithoutBundle()
    return `built in, Node ${process.version}; ${await recognitionState(parts)}`
  },
})

async function runProgram(run: EngineRun, outputName: string, args: readonly string[]): Promise<void> {
  // Scanned pages for which the time is not enough get no text layer, so it has to end before its budget.
  const seconds = run.to === 'pdfa' ? Math.min(deadlineSeconds, run.cpuSeconds) : deadlineSeconds
  const prewarmed = await run.open(reader)
  const result = await prewarmed.give({
    args: [`/in/${run.inputName}`, `/out/${outputName}`, '--deadline', String(seconds), ...args],
    onStdoutLine: (untrustedLine) => {
      reportProgress(untrustedLine, run.onProgress)
      if (untrustedLine.startsWith('{"facts":')) run.note(pdfFindings(untrustedLine))
    },
  })
  const failure = failureOf(result, run.signal)
  if (failure) throw failure
}

/** A picture becomes a PDF first; scanned pages without text get a layer of recognised text. */
async function convertToArchive(run: EngineRun, args: readonly string[]): Promise<string> {
  const { standard = defaultStandard } = argumentsOf(archivalOptions, run.pair, run.options)
  const layerName = 'text.layer'
  const isPdf = run.from === 'pdf'
  const input = isPdf ? `/in/${run.inputName}` : `/out/${layerName}.pdf`
  if (isPdf && args.includes(neverRecognise)) return makeArchival(run, input, standard)
  await runProgram(run, layerName, args)
  return makeArchival(run, input, standard, `/out/${layerName}`)
}

/** Without it, pages that have text are still converted. */
async function recognitionState(parts: EngineParts): Promise<string> {
  const spec = { program: 'tesseract', args: ['--list-langs'], limits }
  const asked = askVersion(parts, spec, /^(?!osd$)[a-z]{3}(?:_\w+)?$/m, 'none')
  return asked.then(
    ({ untrustedStdout }) => {
      const languages = untrustedStdout.match(/^(?!osd$)[a-z]{3}(?:_\w+)?$/gm) ?? []
      return `text recognition in ${languages.length} languages`
    },
    () => 'no text recognition: tesseract or its languages are missing',
  )
}

function refuseWithoutBundle(): void {
  if (!existsSync(join(bundle, 'main.js')))
    throw new Error('packages/pdf/build is missing. Run `node scripts/setup.mjs`, which makes it.')
}

function reportProgress(untrustedLine: string, onProgress: (fraction: number) => void): void {
  const fraction = Number(/^\{"progress":([0-9.]+)\}$/.exec(untrustedLine)?.[1])
  if (fraction >= 0 && fraction <= 1) onProgress(fraction)
}
