import { readFileSync } from 'node:fs'
import { lastLines, run } from './run.mjs'
import { say, warn } from './say.mjs'

// Nothing of Kiln's runs as root. A service that root starts becomes `kiln`, and its database and engines with it.
// `npm run convert` and the tests may be root themselves; their engines run as `kiln-engine`. Neither user can log
// in or has a home.

export async function createSystemUsers() {
  if (process.getuid?.() !== 0) return
  const users = new Set(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':')[0]),
  )
  if (!users.has('kiln')) await createUser('kiln', 'the service')
  if (!users.has('kiln-engine')) await createUser('kiln-engine', 'the engines of other commands')
}

async function createUser(name, purpose) {
  say(`making the system user ${name} for ${purpose}`)
  const result = await run('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
    name,
  ])
  if (!result.ok) warn(`useradd could not make ${name}: ${lastLines(result.output, 3)}`)
}
