import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeTree } from '../src/remove-tree.ts'
import { openScratch } from '../src/scratch.ts'

// Directory trees that a compromised program may leave behind.

let root: string
let tree: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'kiln-trees-'))
  // As scratch space names the folder of a process; no process has so high a number.
  tree = join(root, '4194305-0000')
  await mkdir(tree)
})
// The system's rm removes all of them.
afterEach(() => {
  spawnSync('/bin/rm', ['-rf', root])
})

const perl = (program: string) => execFileSync('/usr/bin/perl', ['-e', program], { cwd: tree })

const deeperThanPaths =
  'for (1..60) { mkdir "d" x 200 or die; chdir "d" x 200 or die } open F, ">", "file"; mkdir "e" or die; open F, ">", "e/file"'
const trees = {
  'deeper than a path may be long': deeperThanPaths,
  'deeper than a process may have files open': 'for (1..2100) { mkdir "d"; chdir "d" or die }',
  'with names that are not UTF-8':
    'for (1..20) { my $n = "\\xff\\xfe" . chr(128 + $_); mkdir $n or die; open F, ">", "$n/\\xf0\\x28" or die }',
  'with names that look like ours': `mkdir "moved-$_" or die for 1..9; mkdir "moved-3/moved-$_" for 1..9; ${deeperThanPaths}`,
  'with links to what is outside': `symlink "/usr", "usr"; mkdir "a"; symlink "..", "a/up"; ${deeperThanPaths}`,
}

describe('a tree', () => {
  it.each(Object.entries(trees))('%s is removed', async (_name, program) => {
    perl(program)
    await removeTree(tree)
    expect(existsSync(tree)).toBe(false)
  })

  it('deeper than a path may be long is one that ordinary removal fails on', { tags: 'slow' }, async () => {
    perl(deeperThanPaths)
    await expect(rm(tree, { recursive: true, force: true })).rejects.toThrow()
  })

  it('that is closed to its owner is removed by the owner', async () => {
    const { uid, gid } = { uid: 65534, gid: 65534 }
    if (process.getuid?.() !== 0) return
    await chmod(root, 0o777)
    const program = `use strict; mkdir "$ARGV[0]/closed" or die; mkdir "$ARGV[0]/closed/inner" or die;
      open my $f, '>', "$ARGV[0]/closed/inner/file" or die; chmod 0, "$ARGV[0]/closed/inner", "$ARGV[0]/closed" or die`
    await chmod(tree, 0o777)
    execFileSync('/usr/bin/perl', ['-e', program, tree], { uid, gid })
    const script = `const { removeTree } = await import(${JSON.stringify(new URL('../src/remove-tree.ts', import.meta.url).href)});
      await removeTree(process.argv[1] + '/closed')`
    execFileSync(process.execPath, ['--input-type=module', '-e', script, tree], { uid, gid, env: {} })
    expect(readdirSync(tree)).toEqual([])
  })

  it('that is not there is no fault', async () => {
    await removeTree(join(root, 'gone'))
  })
})

describe('scratch space', () => {
  const warnings: string[] = []
  const log = { info: () => {}, warn: (message: string) => void warnings.push(message) }

  it('starts where a process left a tree that resists ordinary removal', async () => {
    perl(trees['deeper than a path may be long'])
    const scratch = await openScratch({
      root,
      log,
      endLeftovers: async () => 0,
      closeToOthers: async () => {},
    })
    expect(existsSync(tree)).toBe(false)
    await scratch.remove()
  })

  it('sets aside what cannot be removed, says so, and starts', async () => {
    if (process.getuid?.() !== 0) return
    await writeFile(join(tree, 'kept'), 'x')
    execFileSync('/usr/bin/mount', ['-t', 'tmpfs', 'none', tree])
    try {
      const scratch = await openScratch({
        root,
        log,
        endLeftovers: async () => 0,
        closeToOthers: async () => {},
      })
      expect(warnings.join()).toContain(tree)
      await scratch.remove()
    } finally {
      execFileSync('/usr/bin/umount', [tree])
    }
  })
})
