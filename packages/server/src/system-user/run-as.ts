import { readFile, stat } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import type { SystemUser } from './passwd.ts'

// The command that root runs to have a program run as another user, with none of root's rights left: no
// capability, no supplementary group, and no program that would give rights back (no_new_privs).
//
// A folder that the program needs may lie below one that is closed to that user (a clone in root's home). Then the
// program gets a mount namespace of its own. There an empty folder covers the closed one, with a way through it to
// the folders that are needed and to nothing else of it. Every path stays what it was, and no permission is widened.

/** Arguments: where to build; for each closed folder itself, the folders below it and an empty word; `--`; the program. */
const showThenRun = `
stage=$1; shift
while [ "$1" != -- ]; do
  closed=$1; shift
  mount -t tmpfs -o mode=0711,size=1m kiln "$stage" || exit 1
  while [ -n "$1" ]; do
    place="$stage\${1#"$closed"}"
    (umask 022; mkdir -p "$place") && mount --rbind "$1" "$place" || exit 1
    shift
  done
  shift
  mount --move "$stage" "$closed" || exit 1
done
shift; exec "$@"`

export async function commandAs(
  user: SystemUser,
  neededFolders: readonly string[],
  command: readonly string[],
): Promise<[string, ...string[]]> {
  const asUser = [
    'setpriv',
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    '--inh-caps=-all',
    '--bounding-set=-all',
    '--no-new-privs',
    '--',
    ...command,
  ] as const
  const hidden = await findHidden(user, neededFolders)
  await requireRights(user, hidden)
  if (hidden.size === 0) return ['setpriv', ...asUser.slice(1)]
  return [
    ...(['unshare', '--mount', '--propagation', 'private', '--', 'sh', '-c', showThenRun, 'sh'] as const),
    stageFor(neededFolders),
    ...[...hidden].flatMap(([closed, folders]) => [closed, ...folders, '']),
    '--',
    ...asUser,
  ]
}

/** A folder that is there on every system and may be covered meanwhile, because nothing needed lies in it. */
const stageFor = (folders: readonly string[]): string =>
  ['/mnt', '/media', '/srv'].find((stage) => folders.every((each) => !`${each}/`.startsWith(`${stage}/`))) ??
  '/opt'

// Their numbers in linux/capability.h.
const toChangeUsers = { CAP_CHOWN: 0, CAP_SETGID: 6, CAP_SETUID: 7, CAP_SETPCAP: 8 }
const toMount = { CAP_SYS_ADMIN: 21 }

/** Root in a container may lack them. setpriv would say so only in the words of the kernel. */
async function requireRights(user: SystemUser, hidden: Map<string, string[]>): Promise<void> {
  const status = await readFile('/proc/self/status', 'utf8')
  const held = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`)
  const missing = (rights: Record<string, number>) =>
    Object.keys(rights).filter((name) => !(held & (1n << BigInt(rights[name] ?? 0))))
  const unable = missing(toChangeUsers)
  if (unable.length > 0) {
    throw new Error(
      `Kiln does not run as root, and this root may not change to the user ${user.name}: it lacks ${unable.join(', ')}. ` +
        'Start Kiln as an ordinary user (in a container: --user).',
    )
  }
  if (hidden.size > 0 && missing(toMount).length > 0) {
    throw new Error(
      `${user.name}, as whom Kiln runs, cannot reach ${[...hidden.values()].flat().join(' and ')}, because ${[...hidden.keys()].join(' and ')} is closed to others, ` +
        'and this system does not allow a mount that would show it. ' +
        'Keep the program and the data where every user can pass through: KILN_DATA_DIR=/var/lib/kiln.',
    )
  }
}

/** Which of the folders the user cannot reach, by the uppermost folder that is in the way. */
async function findHidden(user: SystemUser, folders: readonly string[]): Promise<Map<string, string[]>> {
  const hidden = new Map<string, string[]>()
  // Those above first: a folder inside another that is shown is shown with it.
  for (const folder of [...folders].sort((a, b) => a.length - b.length)) {
    const closed = await closedAbove(folder, user)
    if (closed === undefined) continue
    const shown = hidden.get(closed) ?? []
    if (!shown.some((other) => !relative(other, folder).startsWith('..'))) shown.push(folder)
    hidden.set(closed, shown)
  }
  return hidden
}

/** The uppermost folder above the path that the user cannot pass through. */
async function closedAbove(path: string, user: SystemUser): Promise<string | undefined> {
  const parent = dirname(path)
  if (parent === path) return undefined
  return (await closedAbove(parent, user)) ?? (isSearchable(await stat(parent), user) ? undefined : parent)
}

/** Can the user create files in this directory? Not where it does not exist. */
export async function canCreateFilesIn(directory: string, user: SystemUser): Promise<boolean> {
  try {
    return (await closedAbove(directory, user)) === undefined && hasRights(await stat(directory), user, 0o3)
  } catch {
    return false
  }
}

export const isSearchable = (folder: Permissions, user: SystemUser): boolean => hasRights(folder, user, 0o1)

type Permissions = { uid: number; gid: number; mode: number }

/** `rights` are those of one class: 4 read, 2 write, 1 search. */
function hasRights(folder: Permissions, user: SystemUser, rights: number): boolean {
  const shift = folder.uid === user.uid ? 6 : folder.gid === user.gid ? 3 : 0
  return ((folder.mode >> shift) & rights) === rights
}
