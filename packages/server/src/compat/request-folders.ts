import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { memoize } from '../caches.ts'

// Files of requests in progress: one folder per process, named by its process id, so that the next start can find the
// folders that a crash has left.

const name = /^compat-(\d{1,10})-/

export async function openRequestFolders(dataDir: string) {
  await removeAbandoned(dataDir)
  let made: string | undefined
  return {
    /** The folder of this process; created on first use. */
    folder: memoize(async () => {
      await mkdir(dataDir, { recursive: true, mode: 0o711 })
      made = await mkdtemp(join(dataDir, `compat-${process.pid}-`))
      return made
    }),
    async remove(): Promise<void> {
      if (made !== undefined) await rm(made, { recursive: true, force: true })
    },
  }
}

async function removeAbandoned(dataDir: string): Promise<void> {
  // The directory does not exist before the first start.
  const names = await readdir(dataDir).catch(() => [])
  const abandoned = names.filter((each) => {
    const pid = Number(name.exec(each)?.[1] ?? 0)
    return pid > 0 && !isRunning(pid)
  })
  for (const each of abandoned) await rm(join(dataDir, each), { recursive: true, force: true })
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
