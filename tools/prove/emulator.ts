import { execFileSync, spawn } from 'node:child_process'
import type { DebianArchitecture } from './debian-root.ts'
import { type Machine, talkTo } from './machine.ts'

// A whole machine of either architecture, emulated by qemu: it has its own kernel, and so its own seccomp, Landlock
// and namespaces. It reaches no network.

const kinds = {
  amd64: { program: 'qemu-system-x86_64', machine: 'q35', processor: 'Nehalem', serial: 'ttyS0' },
  arm64: { program: 'qemu-system-aarch64', machine: 'virt', processor: 'cortex-a76', serial: 'ttyAMA0' },
} as const

/** Version 7 gets instructions wrong: Linux 6.12 stops before its first process. */
const leastVersion = 10

export interface Hardware {
  architecture: DebianArchitecture
  kernel: string
  /** Files with the first disk, which has the system, and others. What is written to a `kept` one stays. */
  disks: readonly { file: string; kept: boolean }[]
  /** This machine reaches the same port of the emulated one. */
  port?: number
}

export function startEmulator({ architecture, kernel, disks, port }: Hardware): Machine {
  const { program, machine, processor, serial } = kinds[architecture]
  requireVersion(program)
  const forward = port === undefined ? '' : `,hostfwd=tcp:127.0.0.1:${port}-:${port}`
  const child = spawn(
    'setpriv',
    [
      ...['--pdeathsig', 'KILL', program, '-machine', machine, '-cpu', processor, '-m', '4G'],
      // A nanosecond for each instruction: its clock is as slow as its processor, so no limit of time is reached.
      ...['-icount', 'shift=0'],
      ...['-display', 'none', '-monitor', 'none', '-serial', 'stdio', '-no-reboot'],
      ...['-kernel', kernel, '-append'],
      `console=${serial} root=/dev/nvme0n1 rw rootwait init=/sbin/prove quiet net.ifnames=0 panic=-1`,
      // Of the drivers of disks, Debian's kernel has this one without further files.
      ...disks.flatMap(({ file, kept }, index) => [
        ...[
          '-drive',
          `id=disk${index},file=${file},if=none,format=raw,${kept ? 'cache=unsafe' : 'snapshot=on'}`,
        ],
        ...['-device', `nvme,drive=disk${index},serial=disk${index}`],
      ]),
      ...['-netdev', `user,id=net,restrict=on${forward}`],
      ...['-device', 'virtio-net-pci,netdev=net', '-device', 'virtio-rng-pci'],
    ],
    // What is not kept is written to a file there meanwhile, and /tmp may be in memory.
    { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, TMPDIR: '/var/tmp' } },
  )
  return talkTo(child)
}

function requireVersion(program: string): void {
  const said = execFileSync(program, ['--version'], { encoding: 'utf8' })
  if (Number(/version (\d+)/.exec(said)?.[1]) >= leastVersion) return
  throw new Error(
    `${program} has to be of version ${leastVersion} at least. Debian 12 has it in its backports: apt-get install -t bookworm-backports qemu-system-x86 qemu-system-arm`,
  )
}
