import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileError } from '../input.ts'
import { defaultBaseUrl } from '../options.ts'

// Address and key: from the command line, the environment, or the file that `kiln login` writes. Only its user can read
// the file. A stored key is sent only to the address that it was stored with.

export type Environment = Readonly<Record<string, string | undefined>>

export interface Settings {
  baseUrl: string
  /** Null where none is set; then only `formats` works. */
  apiKey: string | null
}

export interface Kept {
  url: string
  key: string
}

function settingsPath(env: Environment): string {
  const folder = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config')
  return join(folder, 'kiln', 'login.json')
}

export async function readSettings(env: Environment, url: string | undefined): Promise<Settings> {
  const kept = await readKept(env)
  const baseUrl = url ?? (env.KILN_URL || kept?.url || defaultBaseUrl)
  const keptKey = kept !== null && sameAddress(kept.url, baseUrl) ? kept.key : null
  return { baseUrl, apiKey: env.KILN_API_KEY || keptKey }
}

const sameAddress = (one: string, other: string) => one.replace(/\/+$/, '') === other.replace(/\/+$/, '')

export async function readKept(env: Environment): Promise<Kept | null> {
  const path = settingsPath(env)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw fileError('read', path, error)
  })
  if (text === null) return null
  const kept = parse(text)
  if (typeof kept?.url === 'string' && typeof kept.key === 'string') return { url: kept.url, key: kept.key }
  throw fileError('read', path, new Error('it is damaged; run `kiln login` again, or delete it'))
}

function parse(text: string): { url?: unknown; key?: unknown } | null {
  try {
    return JSON.parse(text) as { url?: unknown; key?: unknown }
  } catch {
    // Not JSON.
    return null
  }
}

export async function keepSettings(env: Environment, kept: Kept): Promise<string> {
  const path = settingsPath(env)
  const temporary = `${path}.${process.pid}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(temporary, 'w', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(kept, null, 2)}\n`)
    } finally {
      await file.close()
    }
    await chmod(temporary, 0o600)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw fileError('write', path, error)
  }
  return path
}

export async function forgetSettings(env: Environment): Promise<boolean> {
  const path = settingsPath(env)
  return rm(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw fileError('write', path, error)
    },
  )
}
