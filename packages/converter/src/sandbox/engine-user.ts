import { readFile } from 'node:fs/promises'

// The user that engines run as. Root must not run bubblewrap as root: the sandbox would keep root's rights over files.
// So root (`npm run convert`, a test) drops to an unprivileged user first. An ordinary user, which the service always
// is, keeps that user: it may not change to another.

export interface EngineUser {
  name: string
  uid: number
  gid: number
  /** Does the process have to change to this user before the sandbox is built? */
  drop: boolean
}

const preferredNames = ['kiln-engine', 'nobody'] as const

export async function findEngineUser(passwdFile = '/etc/passwd'): Promise<EngineUser> {
  const uid = process.getuid?.()
  const gid = process.getgid?.()
  if (uid === undefined || gid === undefined) {
    throw new Error('The sandbox needs Linux: this system has no user ids.')
  }
  return chooseEngineUser(uid, gid, await readFile(passwdFile, 'utf8'))
}

export function chooseEngineUser(uid: number, gid: number, passwd: string): EngineUser {
  const lines = passwd.split('\n').map((line) => line.split(':'))
  const own = lines.find((fields) => fields[2] === String(uid))
  if (uid !== 0) return { name: own?.[0] ?? `uid ${uid}`, uid, gid, drop: false }
  for (const name of preferredNames) {
    const found = lines.find((fields) => fields[0] === name)
    const user = { name, uid: Number(found?.[2]), gid: Number(found?.[3]), drop: true }
    if (found && user.uid > 0 && user.gid > 0) return user
  }
  throw new Error(
    'Kiln runs as root, and there is no unprivileged user to run engines as. ' +
      'Make one: useradd --system --no-create-home --shell /usr/sbin/nologin kiln-engine',
  )
}
