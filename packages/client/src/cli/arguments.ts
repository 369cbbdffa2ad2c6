import { parseArgs } from 'node:util'

// Options are declared once, in the table below: the parser, the help and the completions read it.

export class UsageError extends Error {
  override name = 'UsageError'
}

export interface Option {
  readonly name: string
  readonly short?: string
  /** Name of its value; none for a switch. */
  readonly value?: string
  readonly about: string
  /** Shell completions of the value. */
  readonly completes?: 'file' | 'folder' | 'from' | 'to' | 'option'
  /** May be given several times. */
  readonly isList?: true
}

export const globalOptions: readonly Option[] = [
  { name: 'url', value: 'URL', about: 'base address of the service' },
  { name: 'json', about: 'answer as JSON on stdout' },
  { name: 'quiet', short: 'q', about: 'print only errors' },
  { name: 'timeout', value: 'SECONDS', about: 'give up after this time' },
  { name: 'help', short: 'h', about: 'show this help' },
]

export interface Command {
  readonly name: string
  readonly about: string
  readonly usage: readonly string[]
  readonly options: readonly Option[]
  readonly examples: readonly string[]
  /** Shell completions of its arguments. */
  readonly completes?: 'file' | readonly string[]
}

export const commands: readonly Command[] = [
  {
    name: 'convert',
    about: 'convert files',
    usage: ['kiln convert INPUT OUTPUT', 'kiln convert INPUT… --to FORMAT [--out-dir FOLDER]'],
    completes: 'file',
    options: [
      {
        name: 'to',
        short: 't',
        value: 'FORMAT',
        about: 'target format; else from the output’s name',
        completes: 'to',
      },
      {
        name: 'from',
        short: 'f',
        value: 'FORMAT',
        about: 'source format; else from the input’s name',
        completes: 'from',
      },
      {
        name: 'out-dir',
        short: 'd',
        value: 'FOLDER',
        about: 'put the outputs there, instead of beside the inputs',
        completes: 'folder',
      },
      { name: 'no-clobber', short: 'n', about: 'fail instead of overwriting existing files' },
      { name: 'jobs', short: 'j', value: 'N', about: 'files converted concurrently (4)' },
      { name: 'report', short: 'r', about: 'print what was replaced, recognised and left out' },
      {
        name: 'option',
        short: 'O',
        value: 'NAME=VALUE',
        about: 'an option of the conversion; may be given several times',
        completes: 'option',
        isList: true,
      },
    ],
    examples: [
      'kiln convert report.docx report.pdf',
      'kiln convert report.docx report.pdf --option pages=1-3 --option pdfa=2b',
      'kiln convert *.docx --to pdf --out-dir pdf/',
      'pandoc notes.org -t markdown | kiln convert - --from md notes.pdf',
    ],
  },
  {
    name: 'formats',
    about: 'list what can be converted, and the options of a pair',
    usage: ['kiln formats [--from FORMAT] [--to FORMAT]', 'kiln formats PAIR'],
    options: [
      { name: 'from', short: 'f', value: 'FORMAT', about: 'only pairs from this format', completes: 'from' },
      { name: 'to', short: 't', value: 'FORMAT', about: 'only pairs to this format', completes: 'to' },
    ],
    examples: ['kiln formats --from docx', 'kiln formats docx-to-pdf'],
  },
  {
    name: 'usage',
    about: 'show usage and remaining allowance',
    usage: ['kiln usage'],
    options: [],
    examples: ['kiln usage --json'],
  },
  {
    name: 'job',
    about: 'show a job, or resume it',
    usage: ['kiln job ID [--wait] [--output FILE]', 'kiln job ID --delete'],
    options: [
      { name: 'wait', short: 'w', about: 'wait until it has ended' },
      { name: 'report', short: 'r', about: 'print what was replaced, recognised and left out' },
      {
        name: 'output',
        short: 'o',
        value: 'FILE',
        about: 'wait, and write the output there',
        completes: 'file',
      },
      { name: 'no-clobber', short: 'n', about: 'fail instead of overwriting an existing file' },
      { name: 'delete', about: 'cancel it if it has not ended, and delete its files at the service' },
    ],
    examples: ['kiln job 0b1f6c52-… --output report.pdf'],
  },
  {
    name: 'login',
    about: 'store an address and an API key for this user',
    usage: ['kiln login [--url URL]', 'kiln login [--url URL] < key-file'],
    options: [],
    examples: ['kiln login --url https://kiln.example.com/api'],
  },
  {
    name: 'logout',
    about: 'delete them',
    usage: ['kiln logout'],
    options: [],
    examples: [],
  },
  {
    name: 'completions',
    about: 'print completions for a shell',
    usage: ['kiln completions bash|zsh|fish'],
    completes: ['bash', 'zsh', 'fish'],
    options: [],
    examples: ['kiln completions bash > ~/.local/share/bash-completion/completions/kiln'],
  },
]

export interface Parsed {
  positionals: string[]
  flag(name: string): boolean
  text(name: string): string | undefined
  /** All values of an option that may be given several times. */
  list(name: string): readonly string[]
  /** Milliseconds of --timeout. */
  timeout: number | undefined
}

export function parseArguments(command: Command, args: readonly string[]): Parsed {
  const known = [...command.options, ...globalOptions]
  const options = Object.fromEntries(
    known.map(({ name, short, value, isList = false }) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        multiple: isList,
        ...(short ? { short } : {}),
      },
    ]),
  )
  let parsed: { values: Record<string, unknown>; positionals: string[] }
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    // The rest of Node's message is advice for programmers.
    const [sentence = ''] = (error as Error).message.split('. ', 1)
    throw new UsageError(`${sentence.replace(/\.$/, '')}. See: kiln ${command.name} --help`)
  }
  const text = (name: string) => parsed.values[name] as string | undefined
  return {
    positionals: parsed.positionals,
    flag: (name) => parsed.values[name] === true,
    text,
    list: (name) => (parsed.values[name] as string[] | undefined) ?? [],
    timeout: readSeconds(text('timeout')),
  }
}

function readSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (text.trim() !== '' && seconds > 0 && seconds <= 604_800) return seconds * 1000
  throw new UsageError(`--timeout is "${text}"; it must be a number of seconds.`)
}

export function readCount(name: string, text: string | undefined, fallback: number, max: number): number {
  if (text === undefined) return fallback
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && count <= max) return count
  throw new UsageError(`--${name} is "${text}"; it must be a whole number from 1 to ${max}.`)
}
