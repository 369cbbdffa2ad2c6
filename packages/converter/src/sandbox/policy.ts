import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { LongLivedSpec } from './long-lived-process.ts'
import type { SandboxSpec } from './sandbox.ts'

// The policy of every sandbox. Each level (bubblewrap.ts, landlock.ts) implements it with the means that it has, and
// documents where they fall short.
//
// An engine is treated as if its file had already taken it over. So it gets
// - an unprivileged user: root changes to that user before the sandbox is built, never after;
// - no network, no access to processes outside, and no new namespaces;
// - no life after the service: it dies with it, and has no controlling terminal;
// - an empty environment except for the variables below: none of the service's settings can leak;
// - programs and libraries read-only, and of /etc only what the dynamic linker, fonts and alternatives need.
//   No /etc/passwd, no home, no data directory, no other job;
// - no /proc unless it cannot run without (LibreOffice, Chromium), because /proc/self/mountinfo names host paths;
// - its input read-only at /in, one writable directory at /out, and a /tmp of limited size. Nothing else is writable;
// - a system call filter (seccomp/filter.ts);
// - limits on memory, CPU seconds, processes, open files and the size of one file.
//
// A pre-warmed process (prewarmed-process.ts) has the same sandbox, started earlier.
//
// A long-lived process (long-lived-process.ts) has the same sandbox with two differences. It writes to one directory,
// /jobs, and /in, /out and the directory for temporary files are relative to the working directory of each process. And
// it has no CPU time limit: it serves until the service ends it.

const baseEnvironment = { PATH: '/usr/bin:/bin', HOME: '/tmp', TMPDIR: '/tmp', LANG: 'C.UTF-8' }

/** Read-only in every sandbox, where the machine has them. */
export const programFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib64']
export const linkerFiles = ['/etc/ld.so.cache', '/etc/alternatives']

export const openFiles = 512
const temporaryBytes = 256 * 1024 * 1024

export type Place =
  | { access: 'read' | 'write'; inside: string; outside: string }
  /** A directory in memory of at most so many bytes. */
  | { access: 'memory'; inside: string; bytes: number }
  /** A symbolic link inside. */
  | { access: 'link'; inside: string; outside: string }

/** One sandbox as a level builds it. Paths in the program, the arguments and the environment are those inside. */
export interface Enclosure {
  program: string
  args: readonly string[]
  environment: Readonly<Record<string, string>>
  workingFolder: string
  places: readonly Place[]
  proc: boolean
  /** Is it started before its document, and so runs for an unknown time? */
  waits: boolean
  /** A long-lived process has no limit on CPU seconds. */
  limits: { memoryBytes: number; fileBytes: number; processes: number; cpuSeconds?: number }
}

/** Kiln's own files, where the engine user can read them, and their paths inside. */
export type OwnFiles = readonly { from: string; to: string }[]

/** `temporaryFolder` takes the place of a /tmp in memory at a level that cannot mount one. */
export function enclosureOf(
  spec: Omit<SandboxSpec, 'signal' | 'onStdoutLine'>,
  files: OwnFiles,
  temporaryFolder: string | undefined,
  waits: boolean,
): Enclosure {
  return {
    program: programPath(spec),
    args: spec.args,
    environment: { ...baseEnvironment, ...spec.environment },
    workingFolder: '/out',
    places: [
      { access: 'read', inside: '/in', outside: spec.inFolder },
      { access: 'write', inside: '/out', outside: spec.outFolder },
      temporaryFolder === undefined
        ? { access: 'memory', inside: '/tmp', bytes: Math.min(temporaryBytes, spec.limits.diskBytes) }
        : { access: 'write', inside: '/tmp', outside: temporaryFolder },
      ...readOnly(files),
    ],
    proc: spec.proc ?? false,
    waits,
    limits: spec.limits,
  }
}

const ownTemporary = '/proc/self/cwd/tmp'

export function enclosureOfLongLived(spec: LongLivedSpec, files: OwnFiles): Enclosure {
  return {
    program: spec.program,
    args: spec.args,
    // /tmp itself cannot be such a link: Kiln may be installed below it, and its files keep their paths.
    environment: { ...baseEnvironment, HOME: ownTemporary, TMPDIR: ownTemporary, ...spec.environment },
    workingFolder: '/jobs/server',
    places: [
      { access: 'write', inside: '/jobs', outside: spec.workFolder },
      ...['in', 'out'].map(
        (name) => ({ access: 'link', inside: `/${name}`, outside: `/proc/self/cwd/${name}` }) as const,
      ),
      ...readOnly(files),
    ],
    proc: true,
    waits: true,
    limits: spec.limits,
  }
}

const readOnly = (files: OwnFiles): Place[] =>
  files.map(({ from, to }) => ({ access: 'read', inside: to, outside: from }))

function programPath(spec: Pick<SandboxSpec, 'program' | 'readOnly'>): string {
  // A program of Kiln's own that is mounted into the sandbox exists only inside under this path.
  if (spec.readOnly?.some(({ to }) => to === spec.program)) return spec.program
  const candidates = isAbsolute(spec.program)
    ? [spec.program]
    : ['/usr/bin', '/bin'].map((folder) => join(folder, spec.program))
  const program = candidates.find((path) => existsSync(path))
  if (program === undefined)
    throw new Error(`${spec.program} is not installed: npm start installs every engine.`)
  return program
}
