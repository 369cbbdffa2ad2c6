import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRequestFolders } from './request-folders.ts'

test('folders that a crash left are removed at the next start, those of running processes are not', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kiln-folders-'))
  try {
    // Larger than the maximum process id of Linux.
    for (const name of ['compat-4999999-abc', `compat-${process.ppid}-abc`, 'files']) {
      await mkdir(join(dataDir, name))
      await writeFile(join(dataDir, name, 'upload-0'), 'x')
    }
    const folders = await openRequestFolders(dataDir)
    expect((await readdir(dataDir)).sort()).toEqual([`compat-${process.ppid}-abc`, 'files'])
    const own = await folders.folder()
    expect(own).toContain(`compat-${process.pid}-`)
    expect(await folders.folder()).toBe(own)
    await folders.remove()
    expect((await readdir(dataDir)).sort()).toEqual([`compat-${process.ppid}-abc`, 'files'])
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
