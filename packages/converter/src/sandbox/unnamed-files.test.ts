import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { unnamedFiles } from './unnamed-files.ts'

// Processes as the kernel shows them, in a folder of our own.

let proc: string
let devices: ReadonlySet<number>
beforeEach(async () => {
  proc = await mkdtemp(join(tmpdir(), 'kiln-proc-'))
  devices = new Set([(await stat(proc)).dev])
  return () => rm(proc, { recursive: true })
})

const [living, ending] = [0x400100, 0x40010c]

interface Thread {
  flags: number
  files: 'closed' | 'none' | 'one that was removed'
}

async function showThread(folder: string, { flags, files }: Thread): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'stat'), `7 (a ) name) R 1 7 7 0 -1 ${flags} 0 0 0 0 12 3 0 0\n`)
  // No folder, so no user can look into it, not even root.
  if (files === 'closed') return writeFile(join(folder, 'fd'), '')
  await mkdir(join(folder, 'fd'))
  if (files === 'none') return
  const removed = join(folder, 'file (deleted)')
  await writeFile(removed, Buffer.alloc(100_000, 1))
  await symlink(removed, join(folder, 'fd/3'))
}

async function showProcess(pid: number, first: Thread, others: readonly Thread[] = []): Promise<void> {
  await showThread(join(proc, String(pid)), first)
  for (const [index, thread] of [first, ...others].entries())
    await showThread(join(proc, String(pid), 'task', String(pid + index)), thread)
}

describe('files without a name', () => {
  it('are counted', async () => {
    await showProcess(7, { flags: living, files: 'one that was removed' })
    const { bytes, closed } = await unnamedFiles([7], devices, proc)
    expect(bytes).toBeGreaterThanOrEqual(100_000)
    expect(closed).toEqual([])
  })

  it('are counted where the first thread has ended and another holds them', async () => {
    await showProcess(7, { flags: ending, files: 'none' }, [
      { flags: ending, files: 'none' },
      { flags: living, files: 'one that was removed' },
    ])
    expect((await unnamedFiles([7], devices, proc)).bytes).toBeGreaterThanOrEqual(100_000)
  })
})

describe('a process that does not let us look', () => {
  it('is reported', async () => {
    await showProcess(7, { flags: living, files: 'closed' })
    await showProcess(8, { flags: living, files: 'none' })
    expect((await unnamedFiles([7, 8], devices, proc)).closed).toEqual([7])
  })

  it('is not reported when it is ending, in which the kernel closes every process', async () => {
    await showProcess(7, { flags: ending, files: 'closed' })
    expect((await unnamedFiles([7], devices, proc)).closed).toEqual([])
  })

  it('is reported when one of its threads lives on', async () => {
    await showProcess(7, { flags: ending, files: 'closed' }, [{ flags: living, files: 'closed' }])
    expect((await unnamedFiles([7], devices, proc)).closed).toEqual([7])
  })

  it('is not reported when it has ended meanwhile', async () => {
    expect((await unnamedFiles([7], devices, proc)).closed).toEqual([])
  })
})
