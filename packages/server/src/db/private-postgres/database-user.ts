import { readFile, stat } from 'node:fs/promises'

// PostgreSQL refuses to run as root. As root it therefore runs under another user: the one who owns the
// folder already, else `postgres`, else `kiln-db`. Anybody else runs it as themselves.

export interface DatabaseUser {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

const PREFERRED = ['postgres', 'kiln-db']

/** The user to switch to, or undefined when the process's own user runs the server. */
export async function chooseDatabaseUser(postgresDir: string): Promise<DatabaseUser | undefined> {
  const ownUid = process.getuid?.()
  const owner = await stat(postgresDir).catch(() => undefined)
  if (ownUid !== 0) {
    if (owner && ownUid !== undefined && owner.uid !== ownUid) {
      throw new Error(
        `The database folder ${postgresDir} belongs to user id ${owner.uid}, and this process runs as ${ownUid}. ` +
          'Start Kiln as that user or as root, or choose another data folder (KILN_DATA_DIR).',
      )
    }
    return undefined
  }
  const users = parsePasswd(await readFile('/etc/passwd', 'utf8'))
  if (owner && owner.uid !== 0) {
    return (
      users.find((user) => user.uid === owner.uid) ?? {
        name: String(owner.uid),
        uid: owner.uid,
        gid: owner.gid,
      }
    )
  }
  for (const name of PREFERRED) {
    const user = users.find((candidate) => candidate.name === name)
    if (user) return user
  }
  throw new Error(
    'PostgreSQL does not run as root, and this machine has no user `postgres` or `kiln-db` to run it. ' +
      'Create one (useradd --system --shell /usr/sbin/nologin kiln-db), or start Kiln as an ordinary user.',
  )
}

export function parsePasswd(text: string): DatabaseUser[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}
