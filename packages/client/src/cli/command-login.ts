import { KilnError, NotFoundError } from '../errors.ts'
import { Kiln } from '../kiln.ts'
import { defaultBaseUrl } from '../options.ts'
import { type Parsed, UsageError } from './arguments.ts'
import { exitCodes } from './exit-codes.ts'
import { type Io, printJson } from './io.ts'
import { promptLine, readShortStdin } from './prompt.ts'
import { forgetSettings, keepSettings, readKept } from './settings.ts'

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
