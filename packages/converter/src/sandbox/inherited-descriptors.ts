import { readdirSync, readFileSync } from 'node:fs'

const closeOnExec = 0o2000000

/**
 * Descriptors above stderr that this process got from whoever started it and that every child would
 * get as well (a lock, a pipe of a supervisor). Node marks its own as close-on-exec; these it does not
 * know. Nobody wants an engine to hold them, so a launch puts /dev/null in their places.
 */
export function inheritedDescriptors(): readonly number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && !closesOnExec(descriptor))
}

function closesOnExec(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1]
    return flags === undefined || (Number.parseInt(flags, 8) & closeOnExec) !== 0
  } catch {
    return true // Closed meanwhile: it was the listing's own.
  }
}
