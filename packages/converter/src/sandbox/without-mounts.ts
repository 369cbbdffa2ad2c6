import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { openJobFolders, type ReadableCopies } from './engine-access.ts'
import type { EngineUser } from './engine-user.ts'
import { type Launch, launch } from './launch.ts'
import { type Place, translateBack, translatePaths } from './path-translation.ts'
import { withProgramPath } from './program-path.ts'
import type { Box, BoxResult } from './sandbox.ts'

// What the levels that cannot mount have in common: the program runs among the host's own paths, with
// a temporary folder that is made for the run and removed after it.

export interface HostPaths {
  /** Kiln's own files, readable by the engine user. */
  readOnly: readonly string[]
  temporaryFolder: string
  /** The program and its arguments, with host paths in place of /in, /out and the like. */
  commandLine: readonly string[]
}

type Starter = (paths: HostPaths) => Pick<Launch, 'command' | 'args' | 'extraDescriptors' | 'readStatus'>

export async function runWithoutMounts(
  given: Box,
  user: EngineUser,
  copies: ReadableCopies,
  start: Starter,
): Promise<BoxResult> {
  const box = withProgramPath(given)
  openJobFolders(box.inFolder, box.outFolder, user)
  const temporaryFolder = await makeTemporaryFolder(dirname(resolve(box.outFolder)), user)
  try {
    const files = await readableFiles(box, copies)
    const places: Place[] = [
      { inside: '/in', outside: box.inFolder },
      { inside: '/out', outside: box.outFolder },
      { inside: '/tmp', outside: temporaryFolder },
      ...files,
    ]
    const translated = (text: string) => translatePaths(text, places)
    const { onStdoutLine, ...rest } = box
    const result = await launch(
      onStdoutLine ? { ...rest, onStdoutLine: (line) => onStdoutLine(translateBack(line, places)) } : box,
      {
        ...start({
          readOnly: files.map(({ outside }) => outside),
          temporaryFolder,
          commandLine: [box.program, ...box.args].map(translated),
        }),
        user,
        watchedFolders: [box.outFolder, temporaryFolder],
        workingFolder: box.outFolder,
        environment: Object.fromEntries(
          Object.entries({ ...environment, ...box.environment }).map(([name, value]) => [
            name,
            translated(value),
          ]),
        ),
      },
    )
    return {
      ...result,
      untrustedStdout: translateBack(result.untrustedStdout, places),
      untrustedStderr: translateBack(result.untrustedStderr, places),
    }
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true })
  }
}

const environment = { PATH: '/usr/bin:/bin', HOME: '/tmp', TMPDIR: '/tmp', LANG: 'C.UTF-8' }

/** In the job's own folder, so that it goes with it even when the service is killed meanwhile. */
async function makeTemporaryFolder(jobFolder: string, user: EngineUser): Promise<string> {
  const folder = await mkdtemp(join(jobFolder, 'tmp-'))
  if (user.drop) {
    await chown(folder, user.uid, user.gid)
    await chmod(folder, 0o700)
  }
  return folder
}

async function readableFiles(box: Box, copies: ReadableCopies): Promise<Place[]> {
  const files: Place[] = []
  for (const { from, to, optional } of box.readOnly ?? []) {
    try {
      files.push({ inside: to, outside: await copies.readablePath(from) })
    } catch (error) {
      if (!optional || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return files
}
