import type { UsageSnapshot } from '@kiln/contract'
import { AbortedError, KilnError, NotFoundError } from '../errors.ts'
import { Kiln } from '../kiln.ts'
import { defaultBaseUrl } from '../options.ts'
import { type Parsed, UsageError } from './arguments.ts'
import { exitCodes } from './exit-codes.ts'
import { type Io, printJson } from './io.ts'
import { forgetSettings, keepSettings, readKept } from './settings.ts'
import { sizeText, table } from './text.ts'

/** `kiln login`: asks for address and key, checks them with a request, and stores them. */
export async function logIn(parsed: Parsed, io: Io): Promise<number> {
  const { stdin, stderr, env } = io
  // A settings file that cannot be read is replaced.
  const kept = await readKept(env).catch(() => null)
  const suggested = env.KILN_URL || kept?.url || defaultBaseUrl
  let url = parsed.text('url')
  if (url === undefined) {
    const typed = stdin.isTTY ? await promptLine(io, `Base address [${suggested}]: `, false) : ''
    url = typed.trim() || suggested
  }
  const key = stdin.isTTY ? (await promptLine(io, 'API key: ', true)).trim() : await readShortStdin(io)
  if (key === '') throw new UsageError('No key was given. Type it, or pipe it in: kiln login < key-file')

  const kiln = new Kiln({ baseUrl: url, apiKey: key })
  const usage = await kiln.usage({ signal: io.signal, timeout: parsed.timeout ?? 20_000 }).catch((error) => {
    if (!(error instanceof NotFoundError)) throw error
    throw new KilnError('not-found', `There is no Kiln at ${url}. The address usually ends with /api.`, {
      status: 404,
    })
  })
  const path = await keepSettings(env, { url: kiln.baseUrl, key })
  if (parsed.flag('json')) printJson(io, { url: kiln.baseUrl, file: path })
  else if (!parsed.flag('quiet')) {
    const { jobsRemaining, jobsPerMonth } = usage.freeTier
    stderr.write(
      `The key works: ${jobsRemaining} of ${jobsPerMonth} free conversions left. Kept in ${path}.\n`,
    )
  }
  return exitCodes.ok.code
}

/** `kiln logout`. */
export async function logOut(parsed: Parsed, io: Io): Promise<number> {
  const forgotten = await forgetSettings(io.env)
  if (!parsed.flag('quiet')) io.stderr.write(forgotten ? 'Forgotten.\n' : 'Nothing was kept.\n')
  return exitCodes.ok.code
}

// Prompts at a terminal. A key is not echoed.

const longestAnswer = 4096

async function promptLine(io: Io, question: string, hidden: boolean): Promise<string> {
  const { stdin, stderr } = io
  stderr.write(question)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.resume()
  try {
    return await typedLine(io, hidden)
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    stderr.write('\n')
  }
}

function typedLine({ stdin, stderr, signal }: Io, hidden: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let line = ''
    const interrupted = () => end(() => reject(new AbortedError('aborted', 'Interrupted.')))
    const end = (then: () => void) => {
      stdin.off('data', onData)
      signal.removeEventListener('abort', interrupted)
      then()
    }
    const onData = (typed: string) => {
      // A terminal in bracketed paste mode wraps pasted text in these sequences.
      for (const character of typed.replaceAll('\x1b[200~', '').replaceAll('\x1b[201~', '')) {
        if (character === '\r' || character === '\n' || character === '\x04') return end(() => resolve(line))
        if (character === '\x03') return interrupted()
        if (character === '\x7f' || character === '\b') {
          if (line !== '' && !hidden) stderr.write('\b \b')
          line = line.slice(0, -1)
        } else if (character >= ' ' && line.length < longestAnswer) {
          line += character
          if (!hidden) stderr.write(character)
        }
      }
    }
    stdin.on('data', onData)
    signal.addEventListener('abort', interrupted, { once: true })
  })
}

/** Everything on stdin, for a key that comes from a file or a program. */
async function readShortStdin({ stdin }: Io): Promise<string> {
  let text = ''
  stdin.setEncoding('utf8')
  for await (const piece of stdin) {
    text += piece
    if (text.length > longestAnswer)
      throw new KilnError('invalid-options', 'There is more than a key on stdin.')
  }
  return text.trim()
}

/** `kiln usage`. */
export async function showUsage(kiln: Kiln, parsed: Parsed, io: Io): Promise<number> {
  const usage = await kiln.usage({ signal: io.signal, timeout: parsed.timeout })
  if (parsed.flag('json')) printJson(io, usage)
  else io.stdout.write(usageTable(usage))
  return exitCodes.ok.code
}

function usageTable({ freeTier, creditsBalance, currentWindow }: UsageSnapshot): string {
  const { jobs, bytes } = currentWindow.account
  return table([
    ['Free conversions left', `${freeTier.jobsRemaining} of ${freeTier.jobsPerMonth}`],
    ['Credits', String(creditsBalance)],
    ['Jobs this month', `${jobs} (${sizeText(bytes)})`],
    ['Since', currentWindow.windowStart],
  ])
}
