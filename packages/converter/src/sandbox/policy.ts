import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { LongLivedBox } from './long-lived-box.ts'
import type { Box } from './sandbox.ts'

// The policy of every box. It is told here once; each level (bubblewrap.ts, landlock.ts) carries it out with
// the means that it has, and says where they fall short.
//
// An engine is treated as if its file had already taken it over. So it gets
// - a user without rights: whoever is root leaves root before the box is built, never after;
// - no network, no process outside, and no way to make namespaces of its own;
// - an end with ours: it dies with the service, and holds no terminal of ours;
// - an empty environment but for what is written here: nothing of the service's settings can leak;
// - programs and libraries read-only, and of /etc only what the dynamic linker, fonts and alternatives need.
//   No /etc/passwd, no home, no data folder, no other job;
// - no /proc unless it cannot run without (LibreOffice, Chromium), because /proc/self/mountinfo names host paths;
// - its input read-only at /in, one folder to write at /out, and a /tmp with a cap. Nothing else is writable;
// - a filter of system calls (seccomp/filter.ts);
// - limits on memory, CPU seconds, processes, open files and the size of one file.
//
// A box that waits for its document (waiting-box.ts) is the same box, started earlier.
//
// A long-lived box (long-lived-box.ts) is the same with two differences. It writes to one folder, /jobs, and
// /in, /out and the folder for temporary files lead to the working folder of whichever process asks. And it has no
// limit of CPU seconds: it serves until it is told to end, or we end.

const baseEnvironment = { PATH: '/usr/bin:/bin', HOME: '/tmp', TMPDIR: '/tmp', LANG: 'C.UTF-8' }

/** Read-only in every box, where the machine has them. */
export const programFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib64']
export const linkerFiles = ['/etc/ld.so.cache', '/etc/alternatives']

export const openFiles = 512
const temporaryBytes = 256 * 1024 * 1024

export type Place =
  | { access: 'read' | 'write'; inside: string; outside: string }
  /** A folder in memory that holds at most so many bytes. */
  | { access: 'memory'; inside: string; bytes: number }
  /** A symbolic link inside. */
  | { access: 'link'; inside: string; outside: string }

/** One box as a level builds it. Paths in the program, the arguments and the environment are those inside. */
export interface Enclosure {
  program: string
  args: readonly string[]
  environment: Readonly<Record<string, string>>
  workingFolder: string
  places: readonly Place[]
  proc: boolean
  /** Is it there before its document, for a time that nobody knows? */
  waits: boolean
  /** Without one for CPU seconds, the box is to live long. */
  limits: { memoryBytes: number; fileBytes: number; processes: number; cpuSeconds?: number }
}

/** Kiln's own files, where the engine user can read them, and their places inside. */
export type OwnFiles = readonly { from: string; to: string }[]

/** `temporaryFolder` takes the place of a /tmp in memory at a level that cannot mount one. */
export function enclosureOf(
  box: Omit<Box, 'signal' | 'onStdoutLine'>,
  files: OwnFiles,
  temporaryFolder: string | undefined,
  waits: boolean,
): Enclosure {
  return {
    program: programPath(box),
    args: box.args,
    environment: { ...baseEnvironment, ...box.environment },
    workingFolder: '/out',
    places: [
      { access: 'read', inside: '/in', outside: box.inFolder },
      { access: 'write', inside: '/out', outside: box.outFolder },
      temporaryFolder === undefined
        ? { access: 'memory', inside: '/tmp', bytes: Math.min(temporaryBytes, box.limits.diskBytes) }
        : { access: 'write', inside: '/tmp', outside: temporaryFolder },
      ...readOnly(files),
    ],
    proc: box.proc ?? false,
    waits,
    limits: box.limits,
  }
}

const ownTemporary = '/proc/self/cwd/tmp'

export function enclosureOfLongLived(box: LongLivedBox, files: OwnFiles): Enclosure {
  return {
    program: box.program,
    args: box.args,
    // /tmp itself cannot be such a link: Kiln may lie below it, and its files are shown at their own place.
    environment: { ...baseEnvironment, HOME: ownTemporary, TMPDIR: ownTemporary, ...box.environment },
    workingFolder: '/jobs/server',
    places: [
      { access: 'write', inside: '/jobs', outside: box.workFolder },
      ...['in', 'out'].map(
        (name) => ({ access: 'link', inside: `/${name}`, outside: `/proc/self/cwd/${name}` }) as const,
      ),
      ...readOnly(files),
    ],
    proc: true,
    waits: true,
    limits: box.limits,
  }
}

const readOnly = (files: OwnFiles): Place[] =>
  files.map(({ from, to }) => ({ access: 'read', inside: to, outside: from }))

function programPath(box: Pick<Box, 'program' | 'readOnly'>): string {
  // A program of ours that is shown to the box has its path only inside.
  if (box.readOnly?.some(({ to }) => to === box.program)) return box.program
  const candidates = isAbsolute(box.program)
    ? [box.program]
    : ['/usr/bin', '/bin'].map((folder) => join(folder, box.program))
  const program = candidates.find((path) => existsSync(path))
  if (program === undefined)
    throw new Error(`${box.program} is not installed: npm start installs every engine.`)
  return program
}
