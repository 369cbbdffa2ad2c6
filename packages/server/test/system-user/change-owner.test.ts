import { chown, link, lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { changeOwner } from '../../src/system-user/change-owner.ts'

// Which files root gives away, and which it must not.

const user = { name: 'somebody', uid: 54_321, gid: 54_322 }

describe.runIf(process.getuid?.() === 0)('root hands the data folder over', () => {
  let root: string
  let folder: string
  let calls: number
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'kiln-change-owner-'))
    folder = join(root, 'data')
    calls = 0
    await mkdir(folder)
  })
  afterEach(() => rm(root, { recursive: true, force: true }))
  const give = () =>
    changeOwner(folder, user, async () => {
      calls += 1
    })
  const ownerOf = async (path: string) => (await lstat(path)).uid
  const write = async (...path: string[]) => {
    const file = join(root, ...path)
    await mkdir(join(file, '..'), { recursive: true })
    await writeFile(file, 'kept')
    return file
  }

  test('a new folder', async () => {
    await give()
    expect(await ownerOf(folder)).toBe(user.uid)
    expect(calls).toBe(0)
  })

  test('everything that an earlier version has filled it with, under any name and owner', async () => {
    const files = [
      await write('data/postgres/base/1/1259'),
      await write('data/postgres-password'),
      await write('data/files/outputs/Ωμέγα'),
    ]
    await chown(files[0] as string, 101, 104)
    const odd = Buffer.concat([Buffer.from(`${folder}/files/`), Buffer.from([0xff, 0xfe])])
    await writeFile(odd, '')
    await give()
    for (const file of [...files, join(folder, 'postgres'), join(folder, 'postgres/base/1')])
      expect(await ownerOf(file)).toBe(user.uid)
    expect((await lstat(odd)).uid).toBe(user.uid)
    expect(calls).toBe(1)
    await give()
    expect(calls).toBe(1)
  })

  test('what an interrupted start has left', async () => {
    const file = await write('data/files/inputs/1')
    await chown(folder, user.uid, user.gid)
    await give()
    expect(await ownerOf(file)).toBe(user.uid)
  })

  test('nothing behind a link', async () => {
    const outside = await write('outside/secret')
    await mkdir(join(folder, 'work'))
    await symlink(outside, join(folder, 'work/file'))
    await symlink(join(root, 'outside'), join(folder, 'files'))
    await give()
    expect([await ownerOf(outside), await ownerOf(join(root, 'outside'))]).toEqual([0, 0])
  })

  test('no file that has a name outside', async () => {
    const outside = await write('outside/secret')
    await mkdir(join(folder, 'work'))
    await link(outside, join(folder, 'work/file'))
    await expect(give()).rejects.toThrow(/file in the data folder has a second name/)
    expect(await ownerOf(outside)).toBe(0)
  })

  test('nothing of a folder that is not Kiln’s', async () => {
    const file = await write('data/passwd')
    await expect(give()).rejects.toThrow(/files that are not Kiln's.*KILN_DATA_DIR/)
    expect([await ownerOf(file), await ownerOf(folder)]).toEqual([0, 0])
  })

  test('an operator’s own file beside Kiln’s stays the operator’s', async () => {
    await write('data/postgres/PG_VERSION')
    const file = await write('data/backup.sql')
    await give()
    expect(await ownerOf(file)).toBe(0)
    expect(await readdir(folder)).toContain('backup.sql')
  })
})
