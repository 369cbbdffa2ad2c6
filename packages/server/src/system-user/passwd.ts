import { readFile } from 'node:fs/promises'

export interface SystemUser {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** The user that the service runs as when root starts it; the set-up creates it. */
const SERVICE_USER = 'kiln'

const readUsers = async (): Promise<SystemUser[]> => parsePasswd(await readFile('/etc/passwd', 'utf8'))

export function parsePasswd(text: string): SystemUser[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}

/** The user that root switches to: the owner of the directory, unless that is root, else the service's user. */
export async function ownerOrServiceUser(
  owner: { uid: number; gid: number } | undefined,
): Promise<SystemUser> {
  const users = await readUsers()
  if (owner && owner.uid !== 0) {
    return (
      users.find(({ uid }) => uid === owner.uid) ?? {
        name: String(owner.uid),
        uid: owner.uid,
        gid: owner.gid,
      }
    )
  }
  const user = users.find(({ name }) => name === SERVICE_USER)
  if (user && user.uid !== 0 && user.gid !== 0) return user
  throw new Error(
    `Kiln does not run as root, and this machine has no user \`${SERVICE_USER}\` to run it. ` +
      `Make one (node scripts/setup.mjs, or useradd --system --shell /usr/sbin/nologin ${SERVICE_USER}), or start Kiln as an ordinary user.`,
  )
}
