import { signalName } from './endings.ts'
import { type Command, filterDescriptor, type Level, type Outcome, statusDescriptor } from './level.ts'
import { type Enclosure, linkerFiles, type Place } from './policy.ts'
import { prlimitCommand } from './prlimit.ts'
import { seccompFilter } from './seccomp/filter.ts'

// The first level: new namespaces for users, processes, network, mounts, IPC, host name and cgroups. The network has
// no interface that is up; processes and files outside cannot be named inside. Limits are set inside the user namespace,
// where the kernel counts processes per namespace, not per user of the machine.

const namespaces = ['--unshare-all', '--unshare-user', '--disable-userns', '--hostname', 'sandbox']
const lifetime = ['--die-with-parent', '--new-session']
const programs = [
  ['--ro-bind', '/usr', '/usr'],
  ['--symlink', 'usr/bin', '/bin'],
  ['--symlink', 'usr/sbin', '/sbin'],
  ['--symlink', 'usr/lib', '/lib'],
  ['--symlink', 'usr/lib64', '/lib64'],
  ...linkerFiles.map((path) => ['--ro-bind-try', path, path]),
].flat()
const readOnlyRoot = ['--remount-ro', '/dev', '--remount-ro', '/']
const filter = ['--json-status-fd', String(statusDescriptor), '--seccomp', String(filterDescriptor)]

export function createBubblewrapLevel(): Level {
  const calls = seccompFilter(process.arch, { holdProcessGroup: false })
  return {
    name: 'bubblewrap',
    mounts: true,
    filter: { runOnce: calls, longLived: calls },
    command,
    outcome,
    orphan,
  }
}

function command(enclosure: Enclosure): Command {
  return {
    command: '/usr/bin/bwrap',
    args: [
      ...namespaces,
      ...lifetime,
      ...environmentFlags(enclosure),
      ...programs,
      '--dev',
      '/dev',
      ...(enclosure.proc ? ['--proc', '/proc', '--remount-ro', '/proc'] : []),
      ...enclosure.places.flatMap(mountFlags),
      '--chdir',
      enclosure.workingFolder,
      ...readOnlyRoot,
      ...filter,
      '--',
      ...prlimitCommand(enclosure, { countProcesses: true }),
      enclosure.program,
      ...enclosure.args,
    ],
    // Among them are host paths and the environment.
    hidesOptions: true,
    environment: {},
    workingFolder: '/',
  }
}

// bwrap reports `{ "exit-code": N }` only if the command was started; N is 128 + the signal if a signal ended it.
function outcome(report: string): Outcome | undefined {
  const reported = /"exit-code":\s*(\d+)/.exec(report)?.[1]
  if (reported === undefined) return undefined
  const signal = signalName(Number(reported) - 128)
  return signal === undefined ? { exitCode: Number(reported) } : { signal }
}

/** Process 1 of the sandbox, by its id on the host: bwrap reports it first, and ends without waiting for it. */
function orphan(report: string): number | undefined {
  const reported = /"child-pid":\s*(\d+)/.exec(report)?.[1]
  return reported === undefined ? undefined : Number(reported)
}

const environmentFlags = ({ environment }: Enclosure): string[] => [
  '--clearenv',
  ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
]

function mountFlags(place: Place): string[] {
  switch (place.access) {
    case 'read':
      return ['--ro-bind', place.outside, place.inside]
    case 'write':
      return ['--bind', place.outside, place.inside]
    case 'memory':
      return ['--size', String(place.bytes), '--tmpfs', place.inside]
    case 'link':
      return ['--symlink', place.outside, place.inside]
  }
}
