import { execFile } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

// A disk that can really be full: a small file system in memory, for the scratch space of one worker.

export interface SmallDisk {
  folder: string
  fill(): Promise<void>
  free(): Promise<void>
  unmount(): Promise<void>
}

const megabytes = 48

export async function mountSmallDisk(folder: string): Promise<SmallDisk> {
  await mkdir(folder)
  const run = promisify(execFile)
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder])
  } catch (error) {
    throw new Error('A disk that fills up needs the right to mount one: run the chaos suite as root.', {
      cause: error,
    })
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    async fill() {
      const file = await open(filler, 'w')
      const zeros = Buffer.alloc(64 * 1024)
      try {
        for (;;) await file.write(zeros)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        await file.close()
      }
    },
    free: () => rm(filler, { force: true }),
    async unmount() {
      await run('umount', ['--lazy', folder])
    },
  }
}
