import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Box } from './sandbox.ts'

const folders = ['/usr/bin', '/bin']

/** The same box with its program's full path, or an error that says what is missing. */
export function withProgramPath(box: Box): Box {
  // A program of ours that is shown to the box has its path only inside.
  if (box.readOnly?.some(({ to }) => to === box.program)) return box
  const candidates = isAbsolute(box.program)
    ? [box.program]
    : folders.map((folder) => join(folder, box.program))
  const program = candidates.find((path) => existsSync(path))
  if (program === undefined)
    throw new Error(`${box.program} is not installed: npm start installs every engine.`)
  return { ...box, program }
}
