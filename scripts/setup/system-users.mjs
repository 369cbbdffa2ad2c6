import { readFileSync } from 'node:fs'
import { lastLines, run } from './run.mjs'
import { say, warn } from './say.mjs'

// As root, Kiln gives up root for what it starts. Engines run as `kiln-engine`. PostgreSQL, which refuses root,
// runs as `postgres`, or as `kiln-db` where no package made that user. Neither can log in or has a home.

export async function createSystemUsers() {
  if (process.getuid?.() !== 0) return
  const users = new Set(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':')[0]),
  )
  if (!users.has('kiln-engine')) await createUser('kiln-engine', 'the engines')
  if (!users.has('postgres') && !users.has('kiln-db')) await createUser('kiln-db', 'the database')
}

async function createUser(name, purpose) {
  say(`making the system user ${name} for ${purpose}`)
  const result = await run('useradd', [
    ...['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'],
    ...['--shell', '/usr/sbin/nologin', name],
  ])
  if (!result.ok) warn(`useradd could not make ${name}: ${lastLines(result.output, 3)}`)
}
