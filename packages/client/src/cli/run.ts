import { formatOfName } from '../formats.ts'
import { Kiln } from '../kiln.ts'
import { version } from '../version.ts'
import { type Command, commands, type Parsed, parseArguments, UsageError } from './arguments.ts'
import { logIn, logOut, showUsage } from './command-account.ts'
import { convertFiles, errorFacts, sentenceOf } from './command-convert.ts'
import { showFormats } from './command-formats.ts'
import { followJob } from './command-job.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import { commandHelp, completionScript, generalHelp, isShell, shells } from './help.ts'
import { type Io, printJson } from './io.ts'
import { readOptionTexts } from './option-texts.ts'
import { readSettings } from './settings.ts'
import { harmless } from './text.ts'

// The command line: one word, then its own arguments. Results go to stdout, everything else to stderr.

export { formatOfName } from '../formats.ts'
export { fileError } from '../input.ts'
export type { Convert, Io } from './io.ts'
export { readOptionTexts } from './option-texts.ts'

type Run = (parsed: Parsed, io: Io) => Promise<number>

const withService =
  (run: (kiln: Kiln, parsed: Parsed, io: Io) => Promise<number>): Run =>
  async (parsed, io) =>
    run(await openService(parsed, io), parsed, io)

const openService = async (parsed: Parsed, io: Io) => new Kiln(await readSettings(io.env, parsed.text('url')))

const runs: Readonly<Record<string, Run>> = {
  convert: (parsed, io) =>
    convertFiles(
      io.openConvert ??
        (async () => {
          const kiln = await openService(parsed, io)
          return async (input, { optionTexts, ...options }) => {
            const from = options.from ?? formatOfName(String(input))
            const describe = () => kiln.describe(`${from}-to-${options.to}`, { signal: io.signal })
            return kiln.convert(input, { ...options, options: await readOptionTexts(optionTexts, describe) })
          }
        }),
      io.openConvert
        ? null
        : async (jobId) => (await openService(parsed, io)).delete(jobId, { timeout: 10_000 }),
      parsed,
      io,
    ),
  formats: withService(showFormats),
  usage: withService(showUsage),
  job: withService(followJob),
  login: logIn,
  logout: logOut,
  async completions({ positionals }, { stdout }) {
    const [shell, ...more] = positionals
    if (!isShell(shell) || more.length > 0) throw new UsageError(`Name one shell: ${shells.join(', ')}.`)
    stdout.write(completionScript(shell))
    return exitCodes.ok.code
  },
}

/** Runs one command and gives its exit code. */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  const [word, ...rest] = args
  if (word === undefined || word === '--help' || word === '-h' || word === 'help') {
    const about = commands.find(({ name }) => name === rest[0])
    io.stdout.write(about ? commandHelp(about) : generalHelp())
    return exitCodes.ok.code
  }
  if (word === '--version' || word === '-V') {
    io.stdout.write(`${version}\n`)
    return exitCodes.ok.code
  }
  if (word === '__formats') return listNames(rest, io)
  if (word === '__options') return listOptions(rest, io)
  const command = commands.find(({ name }) => name === word)
  const run = runs[word]
  if (!command || !run) {
    io.stderr.write(`kiln: there is no command "${harmless(word)}".${suggestion(word)} See: kiln --help\n`)
    return exitCodes.usage.code
  }
  return runCommand(command, run, rest, io)
}

async function runCommand(command: Command, run: Run, args: readonly string[], io: Io): Promise<number> {
  const named = (text: string) => text.replaceAll('kiln convert', io.convertCommand ?? 'kiln convert')
  let parsed: Parsed | undefined
  try {
    parsed = parseArguments(command, args)
    if (parsed.flag('help')) {
      io.stdout.write(named(commandHelp(command, io.openConvert !== undefined)))
      return exitCodes.ok.code
    }
    return await run(parsed, io)
  } catch (error) {
    if (parsed?.flag('json')) printJson(io, { error: errorFacts(error) })
    else io.stderr.write(`kiln: ${harmless(named(sentenceOf(error)))}\n`)
    return exitCodeOf(error)
  }
}

/** How long a shell completion waits for the service. */
const patience = 5000

/** For the completions: names, or nothing. */
async function listNames([side]: readonly string[], io: Io): Promise<number> {
  try {
    const kiln = new Kiln({ ...(await readSettings(io.env, undefined)), maxRetries: 0 })
    const pairs = await kiln.formats({ timeout: patience })
    const names = new Set(pairs.map(({ from, to }) => (side === 'from' ? from : to)))
    io.stdout.write([...names].map((name) => `${name}\n`).join(''))
    return exitCodes.ok.code
  } catch (error) {
    return exitCodeOf(error)
  }
}

/** For the completions: the options of the pair that the words of the command name. */
async function listOptions(words: readonly string[], io: Io): Promise<number> {
  try {
    const [name, ...rest] = words.slice(words.indexOf('convert'))
    const convert = commands.find((command) => command.name === name)
    if (!convert) return exitCodes.usage.code
    const { positionals, text } = parseArguments(convert, rest)
    const [input = '', output = ''] = positionals
    const from = text('from') ?? formatOfName(input)
    const to = text('to') ?? formatOfName(output)
    const kiln = new Kiln({ ...(await readSettings(io.env, undefined)), maxRetries: 0 })
    const { options } = await kiln.describe(`${from}-to-${to}`, { timeout: patience })
    io.stdout.write(
      Object.keys((options.properties ?? {}) as object)
        .map((each) => `${each}=\n`)
        .join(''),
    )
    return exitCodes.ok.code
  } catch (error) {
    return exitCodeOf(error)
  }
}

function suggestion(word: string): string {
  const near = commands.find(({ name }) => name.startsWith(word.slice(0, 3)))
  return near && word.length >= 3 ? ` Did you mean "${near.name}"?` : ''
}
