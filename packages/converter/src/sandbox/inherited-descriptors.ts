import { readdirSync, readFileSync } from 'node:fs'

const closeOnExec = 0o2000000

/**
 * Descriptors above stderr that this process inherited from its parent and would pass on to every child (a lock, a pipe
 * of a supervisor). Node sets close-on-exec on its own descriptors, but not on these. An engine must not get them, so
 * spawn-command.ts replaces them with /dev/null.
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
    return true // Closed meanwhile: it was the descriptor of the directory listing itself.
  }
}
