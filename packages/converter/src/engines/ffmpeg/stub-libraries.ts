import { readFileSync, statSync } from 'node:fs'
import { openArtifact } from '../../artifact.ts'
import type { SandboxSpec } from '../../sandbox/sandbox.ts'

// Stub libraries in place of those that ffmpeg is linked with and no conversion uses (native/stub-libraries). They fit
// only the files that they were built for: after an update of ffmpeg its programs start with all of their libraries,
// until set-up runs again.

export const stubDirectory = openArtifact(new URL('../../../native/stub-libraries/build', import.meta.url))
const inside = '/kiln-stub-libraries'

export const withStubs: Pick<SandboxSpec, 'readOnly' | 'environment'> = {
  readOnly: [{ from: stubDirectory, to: inside }],
  environment: { LD_LIBRARY_PATH: inside },
}

/** Checked before every run: ffmpeg may be updated while the service runs. */
export function stubsFit(list = `${stubDirectory}/made-for`): boolean {
  try {
    const madeFor = readFileSync(list, 'utf8').trimEnd().split('\n')
    return madeFor.every((line) => {
      const [path = '', size, seconds] = line.split(' ')
      const found = statSync(path)
      return found.size === Number(size) && Math.floor(found.mtimeMs / 1000) === Number(seconds)
    })
  } catch {
    // They were not built, or a file that they were built for has been removed.
    return false
  }
}
