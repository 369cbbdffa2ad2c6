import { readFile } from 'node:fs/promises'

// The user that engines run as. A service that runs as root must not run bubblewrap as root: the box would
// keep root's rights over files. So it drops to an unprivileged user first. A service that already
// runs as an ordinary user keeps that user: it may not change to another.

export interface EngineUser {
  name: string
  uid: number
  gid: number
  /** Must be changed to before the box is built. */
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
  if (uid !== 0) return { name: `uid ${uid}`, uid, gid, drop: false }
  const lines = passwd.split('\n').map((line) => line.split(':'))
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
