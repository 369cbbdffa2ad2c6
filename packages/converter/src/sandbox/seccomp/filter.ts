import { answer, assemble, type Instruction, load, unless, when } from './bpf.ts'
import { groupLeavingCalls, judgedCalls, type Machine, refusedCalls, type SystemCall } from './syscalls.ts'

// The filter, told in order:
// 1. Another machine's calls (32-bit x86, x32) have other numbers: the process is killed.
// 2. Every call of the refused groups gets EPERM.
// 3. clone3 hides its flags behind a pointer, so it "does not exist" (ENOSYS): glibc then uses clone.
// 4. clone may make threads and processes, never a namespace.
// 5. Sockets of the family AF_UNIX only. A network namespace does not cover AF_VSOCK, netlink and the like.
// 6. Pushing characters into a terminal is refused.
// Everything else is allowed: LibreOffice and Chromium use most of the rest.

const EPERM = 1
const EACCES = 13
const ENOSYS = 38
const AF_UNIX = 1

// CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET.
const namespaceFlags = 0x7e020000
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c
const x32Bit = 0x40000000

const auditArchitecture: Record<Machine, number> = { x64: 0xc000003e, arm64: 0xc00000b7 }

export interface FilterOptions {
  /**
   * For a box without a process namespace: nobody may leave the process group (it is what gets killed),
   * nor set the limits of another process.
   */
  holdProcessGroup: boolean
}

export function seccompProgram(machine: Machine, { holdProcessGroup }: FilterOptions): Instruction[] {
  const refuse = (call: SystemCall, errno: number): Instruction[] => {
    const number = call[machine]
    return number === null ? [] : [unless.equal(number, 1), answer.error(errno)]
  }
  // `checks` see the argument and either answer or fall through to "allowed".
  const judge = (call: SystemCall, argument: number, checks: readonly Instruction[]): Instruction[] => {
    const number = call[machine]
    if (number === null) return []
    return [unless.equal(number, checks.length + 2), load.argument(argument), ...checks, answer.allow()]
  }
  const unixOnly = [unless.equal(AF_UNIX, 1), answer.allow(), answer.error(EACCES)]

  return [
    load.architecture(),
    when.equal(auditArchitecture[machine], 1),
    answer.killProcess(),
    load.systemCall(),
    unless.atLeast(x32Bit, 1),
    answer.killProcess(),
    ...Object.values(refusedCalls).flatMap((group) =>
      Object.values(group).flatMap((call) => refuse(call, EPERM)),
    ),
    ...(holdProcessGroup ? Object.values(groupLeavingCalls).flatMap((call) => refuse(call, EPERM)) : []),
    ...refuse(judgedCalls.clone3, ENOSYS),
    ...judge(judgedCalls.clone, 0, [unless.anySet(namespaceFlags, 1), answer.error(EPERM)]),
    ...judge(judgedCalls.socket, 0, unixOnly),
    ...judge(judgedCalls.socketpair, 0, unixOnly),
    ...(holdProcessGroup ? judge(judgedCalls.prlimit64, 0, [when.equal(0, 1), answer.error(EPERM)]) : []),
    ...judge(judgedCalls.ioctl, 1, [
      unless.equal(TIOCSTI, 1),
      answer.error(EPERM),
      unless.equal(TIOCLINUX, 1),
      answer.error(EPERM),
    ]),
    answer.allow(),
  ]
}

export function seccompFilter(machine: string, options: FilterOptions): Buffer {
  if (machine !== 'x64' && machine !== 'arm64') {
    throw new Error(`No system call filter for ${machine} machines: Kiln's sandbox knows x64 and arm64.`)
  }
  return assemble(seccompProgram(machine, options))
}
