import { answer, assemble, type Instruction, keepBits, load, unless, when } from './bpf.ts'
import {
  firstUnknownCall,
  groupLeavingCalls,
  judgedCalls,
  type Machine,
  refusedCalls,
  type SystemCall,
} from './syscalls.ts'

// The filter, in order:
// 1. Another machine's calls (32-bit x86, x32) have other numbers: the process is killed.
// 2. A call that is newer than the table of calls "does not exist" (ENOSYS): who made it falls back on an older.
// 3. Every call of the refused groups gets EPERM.
// 4. clone3 and openat2 hide their flags behind a pointer, so they do not exist either: glibc then uses clone
//    and openat.
// 5. clone may make threads and processes, never a namespace.
// 6. Sockets of the family AF_UNIX only: a network namespace does not cover AF_VSOCK, netlink and the like. And
//    only those that have to connect, which is refused: a datagram carries its address with it.
// 7. A file that is opened to be cut to nothing must be opened for writing. Landlock judges by what a file is
//    opened for, and before Linux 6.2 by nothing else.
// 8. No descriptor gets another owner or signal: the kernel would send that signal to any process of the user.
// 9. Pushing characters into a terminal is refused.
// Everything else is allowed: LibreOffice and Chromium use most of the rest.

const EPERM = 1
const EACCES = 13
const ENOSYS = 38
const AF_UNIX = 1
const SOCK_STREAM = 1
const SOCK_SEQPACKET = 5
const socketTypeBits = 0xf

// CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET.
const namespaceFlags = 0x7e020000
const O_TRUNC = 0x200
const accessModeBits = 0x3
const F_SETOWN = 8
const F_SETSIG = 10
const F_SETOWN_EX = 15
const FIOSETOWN = 0x8901
const SIOCSPGRP = 0x8902
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c
const x32Bit = 0x40000000

const auditArchitecture: Record<Machine, number> = { x64: 0xc000003e, arm64: 0xc00000b7 }

export interface FilterOptions {
  /**
   * For a sandbox without a process namespace: no process may leave the process group (which is killed in the end),
   * nor set the limits or the processors of another process.
   */
  holdProcessGroup: boolean
}

export function seccompProgram(machine: Machine, { holdProcessGroup }: FilterOptions): Instruction[] {
  const refuse = (call: SystemCall, errno: number): Instruction[] => {
    const number = call[machine]
    return number === null ? [] : [unless.equal(number, 1), answer.error(errno)]
  }
  const refuseAll = (calls: Readonly<Record<string, SystemCall>>) =>
    Object.values(calls).flatMap((call) => refuse(call, EPERM))
  // `checks` see the argument and either answer or fall through to "allowed".
  const judge = (call: SystemCall, argument: number, checks: readonly Instruction[]): Instruction[] => {
    const number = call[machine]
    if (number === null) return []
    return [unless.equal(number, checks.length + 2), load.argument(argument), ...checks, answer.allow()]
  }
  const unlessOneOf = (values: readonly number[]) =>
    values.flatMap((value) => [unless.equal(value, 1), answer.error(EPERM)])
  const onlySelf = [when.equal(0, 1), answer.error(EPERM)]
  const connectingUnixOnly = [
    when.equal(AF_UNIX, 1),
    answer.error(EACCES),
    load.argument(1),
    keepBits(socketTypeBits),
    when.equal(SOCK_STREAM, 2),
    when.equal(SOCK_SEQPACKET, 1),
    answer.error(EACCES),
  ]
  const cutOnlyToWrite = [
    keepBits(O_TRUNC | accessModeBits),
    ...unlessOneOf([O_TRUNC, O_TRUNC | accessModeBits]),
  ]

  return [
    load.architecture(),
    when.equal(auditArchitecture[machine], 1),
    answer.killProcess(),
    load.systemCall(),
    unless.atLeast(x32Bit, 1),
    answer.killProcess(),
    unless.atLeast(firstUnknownCall, 1),
    answer.error(ENOSYS),
    ...Object.values(refusedCalls).flatMap(refuseAll),
    ...refuse(judgedCalls.clone3, ENOSYS),
    ...refuse(judgedCalls.openat2, ENOSYS),
    ...judge(judgedCalls.clone, 0, [unless.anySet(namespaceFlags, 1), answer.error(EPERM)]),
    ...judge(judgedCalls.socket, 0, connectingUnixOnly),
    ...judge(judgedCalls.socketpair, 0, connectingUnixOnly),
    ...judge(judgedCalls.open, 1, cutOnlyToWrite),
    ...judge(judgedCalls.openat, 2, cutOnlyToWrite),
    ...judge(judgedCalls.fcntl, 1, unlessOneOf([F_SETOWN, F_SETSIG, F_SETOWN_EX])),
    ...judge(judgedCalls.ioctl, 1, unlessOneOf([FIOSETOWN, SIOCSPGRP, TIOCSTI, TIOCLINUX])),
    ...(holdProcessGroup
      ? [
          ...refuseAll(groupLeavingCalls),
          ...judge(judgedCalls.prlimit64, 0, onlySelf),
          ...judge(judgedCalls.sched_setaffinity, 0, onlySelf),
        ]
      : []),
    answer.allow(),
  ]
}

export function seccompFilter(machine: string, options: FilterOptions): Buffer {
  if (machine !== 'x64' && machine !== 'arm64') {
    throw new Error(`No system call filter for ${machine} machines: Kiln's sandbox knows x64 and arm64.`)
  }
  return assemble(seccompProgram(machine, options))
}
