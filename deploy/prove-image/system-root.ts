import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

// A Debian of its own in a folder, and programs that run in it: chroot, with mounts and process ids that
// end with the program. Within a chroot no user namespace can be made, as in an ordinary container.

export interface RunOptions {
  environment: Record<string, string>
  workingFolder: string
  /** `uid:gid`; root when absent. */
  user: string | null
  /** As the compose file runs it: nothing can be written but these folders. */
  readOnly?: { writable: readonly string[] }
}

/** The base system, fetched once from debootstrap's own mirror and kept. */
export async function makeBase(cache: string, suite: string): Promise<string> {
  const base = join(cache, `base-${suite}`)
  if (existsSync(base)) return base
  await mkdir(cache, { recursive: true })
  const draft = `${base}.draft`
  await rm(draft, { recursive: true, force: true })
  await run('debootstrap', ['--variant=minbase', suite, draft])
  await rename(draft, base)
  return base
}

export async function copyRoot(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true })
  await run('cp', ['-a', '--reflink=auto', from, to])
}

/** The command line that runs a program in the root; its end ends all that it started. */
export function commandIn(root: string, program: readonly string[], options: RunOptions): string[] {
  const { user, environment, workingFolder, readOnly } = options
  const mounts = [
    `mount -t proc proc ${root}/proc`,
    // The devices of a container, and no others.
    `mount -t tmpfs -o mode=755 tmpfs ${root}/dev`,
    ...['null', 'zero', 'full', 'random', 'urandom', 'tty'].map(
      (name) => `touch ${root}/dev/${name} && mount --bind /dev/${name} ${root}/dev/${name}`,
    ),
    `mkdir ${root}/dev/shm && mount -t tmpfs -o mode=1777 tmpfs ${root}/dev/shm`,
    `ln -s /proc/self/fd ${root}/dev/fd`,
    ...(readOnly
      ? [
          `mount --bind -o ro ${root} ${root} && mount -o remount,bind,ro ${root}`,
          // The bind covers what was mounted below; it is mounted again on top.
          `mount -t proc proc ${root}/proc`,
          `mount --rbind /dev ${root}/dev`,
          ...readOnly.writable.map((folder) => `mount -t tmpfs -o mode=1777 tmpfs ${root}${folder}`),
        ]
      : []),
  ]
  const [uid, gid] = (user ?? '').split(':')
  const drop = user
    ? [
        'setpriv',
        `--reuid=${uid}`,
        `--regid=${gid}`,
        '--clear-groups',
        '--no-new-privs',
        '--bounding-set=-all',
        '--',
      ]
    : []
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  return [
    ...['unshare', '--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child'],
    ...['sh', '-ec', `${mounts.join('\n')}\nroot=$1; shift; exec chroot "$root" "$@"`, 'sh', root],
    ...['env', '-i', ...variables, 'sh', '-c', 'cd "$0" && exec "$@"', workingFolder, ...drop, ...program],
  ]
}

/** Name service and certificates of this machine, as Docker lends them to a build. */
export async function lendNetwork(root: string, certificates: string | null): Promise<void> {
  await run('cp', ['--dereference', '/etc/resolv.conf', join(root, 'etc/resolv.conf')])
  if (certificates) await run('cp', ['--dereference', certificates, join(root, 'etc/build-certificates.pem')])
  // No service starts while packages are installed, as in any image.
  await writeFile(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 })
}

export async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${program} ${args.slice(0, 3).join(' ')} … ended with ${code}.`)
}
