import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Box } from '../../sandbox/sandbox.ts'

// Libraries that ffmpeg is linked with and no conversion uses, in a form that takes no time to load
// (native/left-out). They fit the files that they were made for, and no others: after an update of ffmpeg its
// programs start with all of their libraries, until the next set-up.

export const leftOutFolder = fileURLToPath(new URL('../../../native/build/left-out', import.meta.url))
const inside = '/kiln-left-out'

export const leftOut: Pick<Box, 'readOnly' | 'environment'> = {
  readOnly: [{ from: leftOutFolder, to: inside }],
  environment: { LD_LIBRARY_PATH: inside },
}

/** Asked before every run: an update may come while the service runs. */
export function mayLeaveOut(list = `${leftOutFolder}/made-for`): boolean {
  try {
    const madeFor = readFileSync(list, 'utf8').trimEnd().split('\n')
    return madeFor.every((line) => {
      const [path = '', size, seconds] = line.split(' ')
      const found = statSync(path)
      return found.size === Number(size) && Math.floor(found.mtimeMs / 1000) === Number(seconds)
    })
  } catch {
    return false
  }
}
