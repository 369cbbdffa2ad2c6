import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createOnce } from '../../create-once.ts'
import { ROLE } from './names.ts'

// The password of the service's role is stored in the data directory, in a file that only this process's user can read,
// in the format of psql and pg_dump (PGPASSFILE). PostgreSQL stores only a verifier.

export const passwordFile = (dataDir: string): string => join(dataDir, 'postgres-password')

export async function readOrMakePassword(dataDir: string): Promise<string> {
  const path = passwordFile(dataDir)
  const found = await readPassword(path)
  if (found !== undefined) return found
  await createOnce(path, `*:*:*:${ROLE}:${randomBytes(32).toString('base64url')}\n`)
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

/** The SCRAM verifier that PostgreSQL stores (RFC 5803): enough to check the password, not enough to recover it. */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  const server = keyed('Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`
}
