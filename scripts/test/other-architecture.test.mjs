import { execFileSync } from 'node:child_process'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { belongsOn } from '../setup/platform.mjs'
import { repository } from '../setup/stamp.mjs'

// The lockfile on a machine of the other architecture: npm installs for it, into a separate folder, and every program
// there has to be one that its processor runs.

const other = { os: 'linux', cpu: process.arch === 'arm64' ? 'x64' : 'arm64', libc: 'glibc' }
/** The field `e_machine` of an ELF file. */
const machine = { x64: 0x3e, arm64: 0xb7 }[other.cpu]

const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')).packages
const folder = mkdtempSync(join(tmpdir(), 'kiln-other-architecture-'))

beforeAll(() => {
  const manifests = Object.keys(lock).filter((path) => !path.includes('node_modules/'))
  for (const path of [
    ...manifests.map((each) => join(each, 'package.json')),
    'package-lock.json',
    '.npmrc',
  ]) {
    cpSync(join(repository, path), join(folder, path), { recursive: true })
  }
  const platform = Object.entries(other).map(([name, value]) => `--${name}=${value}`)
  execFileSync('npm', ['ci', ...platform], { cwd: folder, stdio: 'pipe' })
}, 240_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const wanted = Object.entries(lock).filter(
  ([path, entry]) => path.includes('node_modules/') && entry.cpu && belongsOn(other, entry),
)

test.for(wanted)('%s has programs for the other architecture', ([path]) => {
  const programs = filesIn(join(folder, path)).filter(isElf)
  expect(programs.length).toBeGreaterThan(0)
  for (const file of programs) expect(machineOf(file), file).toBe(machine)
})

test('the runtime is where the scripts look for it', () => {
  const runtime = join(folder, 'node_modules/.bin/node')
  expect(existsSync(runtime)).toBe(true)
  expect(machineOf(runtime)).toBe(machine)
  expect(existsSync(join(dirname(runtime), 'vitest'))).toBe(true)
})

const filesIn = (path) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

function head(path) {
  const bytes = Buffer.alloc(20)
  const file = openSync(path)
  readSync(file, bytes)
  closeSync(file)
  return bytes
}

const isElf = (path) => head(path).toString('latin1', 0, 4) === '\x7fELF'
const machineOf = (path) => head(path).readUInt16LE(18)
