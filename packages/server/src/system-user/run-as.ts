import { readFile, stat } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import type { SystemUser } from './passwd.ts'

// The command that root executes to run a program as another user without any of root's rights: no capabilities, no
// supplementary groups, and no way to regain rights (no_new_privs).
//
// A folder that the program needs may be below one that this user cannot traverse (a clone in root's home). Then the
// program gets its own mount namespace, in which an empty folder covers the inaccessible one and only the needed
// folders are bind-mounted into it. All paths stay the same, and no permission is widened.

/**
 * Arguments: the staging folder; for each inaccessible folder the folder itself, the folders below it and an empty
 * string; `--`; the program.
 */
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

/** A folder that exists on every system and may be covered temporarily, because nothing that is needed is in it. */
const stageFor = (folders: readonly string[]): string =>
  ['/mnt', '/media', '/srv'].find((stage) => folders.every((each) => !`${each}/`.startsWith(`${stage}/`))) ??
  '/opt'

// Their numbers in linux/capability.h.
const toChangeUsers = { CAP_CHOWN: 0, CAP_SETGID: 6, CAP_SETUID: 7, CAP_SETPCAP: 8 }
const toMount = { CAP_SYS_ADMIN: 21 }

/** Root in a container may lack them. The error message of setpriv would be less clear. */
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

/** The folders that the user cannot reach, by the topmost folder that blocks them. */
async function findHidden(user: SystemUser, folders: readonly string[]): Promise<Map<string, string[]>> {
  const hidden = new Map<string, string[]>()
  // Parents first: a folder inside another one that is bind-mounted is visible with it.
  for (const folder of [...folders].sort((a, b) => a.length - b.length)) {
    const closed = await closedAbove(folder, user)
    if (closed === undefined) continue
    const shown = hidden.get(closed) ?? []
    if (!shown.some((other) => !relative(other, folder).startsWith('..'))) shown.push(folder)
    hidden.set(closed, shown)
  }
  return hidden
}

/** The topmost folder above the path that the user cannot traverse. */
async function closedAbove(path: string, user: SystemUser): Promise<string | undefined> {
  const parent = dirname(path)
  if (parent === path) return undefined
  return (await closedAbove(parent, user)) ?? (isSearchable(await stat(parent), user) ? undefined : parent)
}

/** Can the user create files in this directory? False when it does not exist. */
export async function canCreateFilesIn(directory: string, user: SystemUser): Promise<boolean> {
  try {
    return (await closedAbove(directory, user)) === undefined && hasRights(await stat(directory), user, 0o3)
  } catch {
    // The directory does not exist, or cannot be inspected.
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
