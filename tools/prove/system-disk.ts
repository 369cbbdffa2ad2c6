import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  type DebianArchitecture,
  enableEmulation,
  installNode,
  nativeArchitecture,
  run,
} from './debian-root.ts'
import { startEmulator } from './emulator.ts'
import { openApt } from './foreign-apt.ts'
import { firstProcess } from './machine.ts'

// The disk that an emulated machine starts from: Debian with the packages that the set-up asks for. The apt and dpkg
// of this machine fetch and unpack them, in a tenth of the time that the emulated machine would take. It configures
// them itself: in the emulator of single programs, which unpacking uses for short scripts, longer ones hang.

const release = 'trixie'
const list = new URL('../../scripts/setup/debian-packages.mjs', import.meta.url)
const { packageGroups } = (await import(list.href)) as {
  packageGroups: { packages: string[]; ifAvailable?: string[]; forTests?: boolean }[]
}

const base = ['?essential', 'apt']
const packages = [
  ...[...base, 'iproute2', 'kmod', 'mount'],
  ...packageGroups
    .filter((group) => !group.forTests)
    .flatMap(({ packages, ifAvailable = [] }) => packages.filter((name) => !ifAvailable.includes(name))),
]

/** What the kernel starts. */
const begin = `#!/bin/sh
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mkdir -p /dev/shm /dev/pts
mount -t devpts devpts /dev/pts
for each in /dev/shm /run /tmp; do mount -t tmpfs -o mode=1777 tmpfs $each; done
mount -t cgroup2 cgroup2 /sys/fs/cgroup
[ ! -e /dev/nvme1n1 ] || mount /dev/nvme1n1 /opt
exec < /dev/console > /dev/console 2>&1
stty -echo
echo '127.0.0.1 localhost' > /etc/hosts
modprobe virtio_net
ip link set lo up
ip address add 10.0.2.15/24 dev eth0
ip link set eth0 up
${firstProcess}`

interface SystemDisk {
  image: string
  kernel: string
}

/** It is made once, and anew when the list of packages changes. */
export async function makeSystemDisk(folder: string, architecture: DebianArchitecture): Promise<SystemDisk> {
  const version = createHash('sha256')
    .update(packages.join(' ') + begin)
    .digest('hex')
    .slice(0, 12)
  const made = join(folder, `${architecture}-system-${version}`)
  const inFolder = (place: string) => ({ image: join(place, 'disk'), kernel: join(place, 'vmlinuz') })
  if (existsSync(made)) return inFolder(made)
  const unfinished = `${made}.unfinished`
  const root = join(unfinished, 'root')
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(root, { recursive: true })
  const { image, kernel } = inFolder(unfinished)
  const apt = openApt(join(unfinished, 'apt'), architecture, release)
  const first = apt.fetch(base)
  // base-files has the links that the others are unpacked through.
  const links = first.filter((archive) => archive.includes('/base-files_'))
  for (const archive of [...links, ...first]) run('dpkg-deb', '-x', archive, root)
  if (architecture !== nativeArchitecture) enableEmulation(architecture)
  unpack(root, apt.fetch(packages))
  installNode(root, architecture)
  run('dpkg-deb', '-x', apt.fetchKernel(), root)
  const [modules = ''] = readdirSync(join(root, 'lib/modules'))
  run('depmod', '-b', root, modules)
  renameSync(join(root, `boot/vmlinuz-${modules}`), kernel)
  writeFileSync(join(root, 'sbin/prove'), begin, { mode: 0o755 })
  makeDisk(root, image)
  const names = first.map((archive) => basename(archive).split('_')[0] as string)
  await configure({ image, kernel }, architecture, names)
  for (const each of ['root', 'apt']) rmSync(join(unfinished, each), { recursive: true, force: true })
  renameSync(unfinished, made)
  return inFolder(made)
}

/** The dpkg of this machine takes packages of another architecture only by force. */
function unpack(root: string, archives: readonly string[]): void {
  mkdirSync(join(root, 'var/lib/dpkg/updates'), { recursive: true })
  for (const each of ['status', 'available']) writeFileSync(join(root, 'var/lib/dpkg', each), '')
  // As in the set-up: no service starts, and of PostgreSQL there are the programs only.
  writeFileSync(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  mkdirSync(join(root, 'etc/postgresql-common'), { recursive: true })
  writeFileSync(join(root, 'etc/postgresql-common/createcluster.conf'), 'create_main_cluster = false\n')
  const forced = ['--force-architecture', '--force-depends', '--force-unsafe-io', '--force-confold']
  execFileSync('dpkg', [`--root=${root}`, ...forced, '--unpack', ...archives], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' },
    // Its warnings of what it is forced to do are many.
    stdio: 'ignore',
  })
}

async function configure(
  { image, kernel }: SystemDisk,
  architecture: DebianArchitecture,
  first: readonly string[],
): Promise<void> {
  const { child, run } = startEmulator({ architecture, kernel, disks: [{ file: image, kept: true }] })
  try {
    const dpkg = 'DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 dpkg --force-confold --configure'
    // The scripts of all others take for granted that these are in order.
    await run(`${dpkg} ${first.join(' ')}`, 120)
    await run(`${dpkg} -a`, 240)
    await run('sync && mount -o remount,ro /', 10)
  } finally {
    child.kill('SIGKILL')
  }
}

/** A sparse file with a file system that holds what is in the folder, and room. */
export function makeDisk(folder: string, file: string): void {
  rmSync(file, { force: true })
  run('mke2fs', '-q', '-t', 'ext4', '-d', folder, file, '16G')
}
