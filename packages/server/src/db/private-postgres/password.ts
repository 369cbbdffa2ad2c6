import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROLE } from './names.ts'

// The password of the service's role lies in the data folder, in a file that this process's user alone can read,
// in the form that psql and pg_dump read too (PGPASSFILE). PostgreSQL gets only what it needs to check it.

export const passwordFile = (dataDir: string): string => join(dataDir, 'postgres-password')

/** The first process creates the file: link() fails for the others. */
export async function readOrMakePassword(dataDir: string): Promise<string> {
  const path = passwordFile(dataDir)
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  const password = randomBytes(32).toString('base64url')
  const found = await readPassword(path)
  if (found !== undefined) return found
  await writeFile(draft, `*:*:*:${ROLE}:${password}\n`, { mode: 0o600 })
  try {
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
  const made = await readPassword(path)
  if (made === undefined) throw new Error(`${path} holds no password of ${ROLE}. Remove it, and start again.`)
  return made
}

async function readPassword(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return new RegExp(`^\\*:\\*:\\*:${ROLE}:([A-Za-z0-9_-]{43})$`, 'm').exec(text)?.[1]
}

const iterations = 4096

/** What PostgreSQL keeps (RFC 5803): enough to check the password, and not enough to say it. */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  const server = keyed('Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`
}
