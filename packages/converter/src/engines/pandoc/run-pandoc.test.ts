import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { showData } from './run-pandoc.ts'

it('follows no link that an earlier program left in place of the data directory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-pandoc-'))
  const [out, elsewhere] = [join(folder, 'out'), join(folder, 'elsewhere')]
  try {
    await mkdir(out)
    await mkdir(elsewhere)
    await symlink(elsewhere, join(out, 'data'))
    await expect(showData(out)).rejects.toThrow('could not be opened')
    expect(await readdir(elsewhere)).toEqual([])
    await rm(join(out, 'data'))
    expect(await showData(out)).toBe(true)
    expect(await readdir(join(out, 'data'))).toEqual(['data'])
  } finally {
    await rm(folder, { recursive: true })
  }
})
