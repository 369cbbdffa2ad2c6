import { extname } from 'node:path'
import { parseArgs } from 'node:util'
import type { Worker } from 'node:worker_threads'
import { loadProgram } from './load.ts'
import type { ConvertTask, Message } from './task.ts'

// kiln-pdf IN.pdf OUT.docx|md|html|txt|json|xlsx|csv|layer [OPTION]...
// kiln-pdf --wait
//
// With --wait it warms up, reports this with a line on stdout, and reads the remaining arguments from stdin until end
// of file: fields that end with a zero byte, with the arguments after an empty field. Without any it exits. Arguments
// on the command line are used immediately.
//
// Writes progress as JSON lines to stdout, and one line of facts for the caller. A failure caused by the file: one JSON
// line on stderr, exit code 3. Wrong arguments: exit code 2.

const usage = `usage: kiln-pdf IN.pdf OUT.docx|md|html|txt|json|xlsx|csv|layer [OPTION]...
options:
  --deadline SECONDS
  --pages RANGES             such as 1-3,7-
  --password PASSWORD        that opens the PDF
  --ocr auto|never|always    text recognition: of scans, never, of every page
  --languages NAME+NAME      of the recognition, by tesseract's names
  --pictures mark|embed|none mark: an empty image in Markdown; Word and HTML embed
  --page-marks               a comment before each page, in Markdown
`
/** Default in seconds. */
const usualDeadline = 300
const heapMegabytes = 2048

const formats: Record<string, ConvertTask['format']> = {
  '.docx': 'docx',
  '.md': 'md',
  '.txt': 'txt',
  '.json': 'json',
  '.html': 'html',
  '.htm': 'html',
  '.xlsx': 'xlsx',
  '.csv': 'csv',
  '.layer': 'layer',
}

const pictureWays = ['mark', 'embed', 'none'] as const
const recognitionWays = ['auto', 'never', 'always'] as const
const isOneOf = <Word extends string>(text: string, words: readonly Word[]): text is Word =>
  words.includes(text as Word)

function readArguments(args: readonly string[]): ConvertTask | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        deadline: { type: 'string', default: String(usualDeadline) },
        pictures: { type: 'string', default: 'mark' },
        'page-marks': { type: 'boolean', default: false },
        pages: { type: 'string' },
        password: { type: 'string' },
        ocr: { type: 'string', default: 'auto' },
        languages: { type: 'string' },
      },
    })
    const deadline = Number(values.deadline)
    const { pictures, ocr, pages, password, languages } = values
    if (!(deadline > 0) || !isOneOf(pictures, pictureWays) || !isOneOf(ocr, recognitionWays)) return undefined
    const [input, output] = positionals
    const format = output ? formats[extname(output).toLowerCase()] : undefined
    if (!input || !output || !format || positionals.length !== 2) return undefined
    const options = {
      ...{ pictures, ocr, pageMarks: values['page-marks'] },
      ...(pages === undefined ? {} : { pages }),
      ...(password === undefined ? {} : { password }),
      ...(languages === undefined ? {} : { languages: languages.split('+') }),
    }
    return { input, output, format, options, deadline }
  } catch {
    // An unknown option, or an option without its value.
    return undefined
  }
}

const report = (failure: string, sentence: string): number => {
  process.stderr.write(`${JSON.stringify({ failure, sentence })}\n`)
  return 3
}

async function main(args: readonly string[]): Promise<number> {
  if (args[0] !== '--wait') return convert(args)
  const { once } = process.getBuiltinModule('node:events')
  const { text } = process.getBuiltinModule('node:stream/consumers')
  const worker = startWorker()
  const read = text(process.stdin)
  await Promise.race([read, once(worker, 'message')])
  process.stdout.write('ready\n')
  const fields = (await read).split('\0').slice(0, -1)
  if (fields.length > 0) return convert(fields.slice(fields.indexOf('') + 1), worker)
  await worker.terminate()
  return 0
}

/** Loaded on demand: most documents are converted without a thread. */
function startWorker(task?: ConvertTask): Worker {
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  return new Worker(new URL(`./worker${extname(import.meta.filename)}`, import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  })
}

async function convert(args: readonly string[], waiting?: Worker): Promise<number> {
  const task = readArguments(args)
  if (!task) {
    process.stderr.write(usage)
    return 2
  }
  const { deadline } = task
  if (waiting) {
    waiting.postMessage(task)
    return convertInThread(waiting, deadline, deadline)
  }
  const start = performance.now()
  let code = 0
  const { convertInMainThread } = await loadProgram()
  const end = await convertInMainThread(task, deadline, (message) => {
    code = writeMessage(message) ?? code
  })
  if (end === 'ended') return code
  if (end === 'too late') return reportLate(deadline)
  const secondsLeft = Math.max(0, deadline - (performance.now() - start) / 1000)
  return convertInThread(startWorker(task), deadline, secondsLeft)
}

/** Writes a message to stdout or stderr. Returns the exit code once the conversion has ended. */
function writeMessage(message: Message): number | undefined {
  if ('progress' in message)
    process.stdout.write(`${JSON.stringify({ progress: Number(message.progress.toFixed(3)) })}\n`)
  else if ('facts' in message) process.stdout.write(`${JSON.stringify(message)}\n`)
  else if ('failure' in message) return report(message.failure, message.sentence)
  else if ('done' in message) return 0
  return undefined
}

const reportLate = (deadline: number): number =>
  report('too-complex', `The PDF could not be converted within ${deadline} seconds. Split it and try again.`)

function convertInThread(worker: Worker, deadline: number, secondsLeft: number): Promise<number> {
  return new Promise((resolve) => {
    const end = (code: number): void => {
      clearTimeout(timer)
      void worker.terminate().then(() => resolve(code))
    }
    const timer = setTimeout(() => end(reportLate(deadline)), secondsLeft * 1000)
    worker.on('message', (message: Message) => {
      const code = writeMessage(message)
      if (code !== undefined) end(code)
    })
    worker.on('error', (error: Error & { code?: string }) => {
      // PDFium aborts when it runs out of memory; other traps are faults in the file.
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY' || /out of memory|aborted\(/i.test(error.message))
        end(
          report(
            'too-complex',
            'The PDF needs more memory than a conversion may use. Split it and try again.',
          ),
        )
      else if (error.name === 'RuntimeError' || /maximum call stack/i.test(error.message))
        end(
          report(
            'corrupt-input',
            'The PDF is too damaged to read. Save it again from a PDF viewer and try that copy.',
          ),
        )
      else {
        process.stderr.write(`${error.stack ?? error.message}\n`)
        end(1)
      }
    })
  })
}

// Exits immediately: all output is written, and freeing the engine and its memory only takes time.
void main(process.argv.slice(2)).then((code) => process.exit(code))
