import { spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownerOrServiceUser } from '../packages/server/src/system-user/passwd.ts'
import { commandAs } from '../packages/server/src/system-user/run-as.ts'

// `npm run test:user [-- WORD...]`: the tests of the converter, the PDF engine and the server as an ordinary user.
// `npm test` runs as the user who starts it, often root, who may read every file, change to another user and chown.
// This finds what works only because of that. Root becomes the service's user; any other user stays the same.

const repository = join(import.meta.dirname, '..')
const words = process.argv.slice(2)
const vitest = [
  process.execPath,
  join(repository, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--project',
  'integration',
  // The usual one writes beside the program, which belongs to another user.
  '--configLoader',
  'native',
  ...(words.length > 0 ? words : ['packages/converter/test', 'packages/pdf/test', 'packages/server/test']),
]
const folder = mkdtempSync(join(tmpdir(), 'kiln-user-'))
try {
  const command = process.getuid?.() === 0 ? await asServiceUser() : vitest
  const [program = '', ...args] = command
  const environment = { ...process.env, HOME: folder, TMPDIR: folder }
  const { status } = spawnSync(program, args, { cwd: repository, env: environment, stdio: 'inherit' })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function asServiceUser(): Promise<string[]> {
  const user = await ownerOrServiceUser(undefined)
  chownSync(folder, user.uid, user.gid)
  return commandAs(user, [repository], vitest)
}
