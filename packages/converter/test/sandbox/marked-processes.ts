import { readdir, readFile } from 'node:fs/promises'

// For tests: finds the remaining processes of a sandbox by a mark in their arguments.

export async function countProcesses(mark: string): Promise<number> {
  const found = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const [commandLine, status] = await Promise.all([
          readFile(`/proc/${name}/cmdline`, 'utf8'),
          readFile(`/proc/${name}/stat`, 'utf8'),
        ]).catch(() => ['', ''])
        return commandLine.includes(mark) && !/\) [ZX] /.test(status)
      }),
  )
  return found.filter(Boolean).length
}

/** Throws unless every process with the mark ends within a second. */
export async function noneLeft(mark: string): Promise<void> {
  const deadline = Date.now() + 1000
  while ((await countProcesses(mark)) > 0) {
    if (Date.now() > deadline) throw new Error(`processes with ${mark} are alive a second after the end`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
