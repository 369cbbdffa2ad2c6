import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { repository } from '../setup/stamp.mjs'

// The set-up's dealings with dpkg, apt and sudo, with programs of those names that only note what is asked of them.

const nobody = 65534
const isRoot = process.getuid() === 0
const folder = mkdtempSync(join(tmpdir(), 'kiln-system-packages-'))
chmodSync(folder, 0o755)
cpSync(join(repository, 'scripts'), join(folder, 'scripts'), { recursive: true })
mkdirSync(join(folder, '.setup'))
chmodSync(join(folder, '.setup'), 0o777)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the step on a machine whose programs answer as given; all else that they are asked is noted. */
function setUp(name, programs, { asRoot }) {
  const bin = join(folder, name)
  const log = join(bin, 'log')
  mkdirSync(bin)
  writeFileSync(log, '')
  chmodSync(log, 0o666)
  const quiet = Object.fromEntries(
    ['apt-get', 'apt-cache', 'dpkg', 'dpkg-query', 'install', 'rm', 'cp', 'sudo'].map((each) => [each, '']),
  )
  for (const [program, text] of Object.entries({ ...quiet, ...programs })) {
    writeFileSync(join(bin, program), `#!/bin/sh\necho "${program} $*" >> ${log}\n${text}\n`, { mode: 0o755 })
  }
  rmSync(join(folder, '.setup/system'), { force: true })
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--eval',
      `import('${folder}/scripts/setup/system-packages.mjs').then((step) => step.installSystemPackages())`,
    ],
    { env: { PATH: bin }, encoding: 'utf8', ...(isRoot && !asRoot && { uid: nobody, gid: nobody }) },
  )
  return { told: stdout + stderr, asked: readFileSync(log, 'utf8').split('\n') }
}

/** An answer of dpkg-query: all that it is asked for is installed, but these are not. */
const installed = (...missing) => `shift 3
for name; do
  case " ${missing.join(' ')} " in *" $name "*) ;; *) echo "$name installed" ;; esac
done`
const withoutRights = { sudo: 'exit 1' }
const inCatalogue = { 'apt-cache': 'echo "  Candidate: 1.0"' }

describe('a user with neither root nor sudo', () => {
  test('is given one line with exactly the packages that are missing', () => {
    const { told, asked } = setUp(
      'plain',
      { ...withoutRights, ...inCatalogue, 'dpkg-query': installed('pandoc', 'ffmpeg', 'fonts-noto-cjk') },
      { asRoot: false },
    )
    expect(told).toContain(
      '\n  apt-get update && apt-get install -y --no-install-recommends pandoc ffmpeg fonts-noto-cjk\n',
    )
    expect(told).toMatch(/goes on without pandoc, ffmpeg, fonts\./)
    expect(asked.filter((line) => line.startsWith('apt-get'))).toEqual([])
  })

  test('is told of nothing to install when only a package is missing that this release does not have', () => {
    const programs = { ...withoutRights, 'dpkg-query': installed('fonts-liberation2') }
    expect(setUp('merged', programs, { asRoot: false }).told).not.toContain('apt-get')
  })
})

describe.runIf(isRoot)('root', () => {
  test('finishes what an interrupted installation left, before anything is installed', () => {
    const programs = {
      ...inCatalogue,
      'dpkg-query': installed('pandoc'),
      dpkg: '[ $1 = --audit ] && echo half done',
    }
    const { told, asked } = setUp('interrupted', programs, { asRoot: true })
    const configured = asked.findIndex((line) => line.startsWith('dpkg --configure -a'))
    const ordered = asked.findIndex((line) => /^apt-get .* install .*pandoc/.test(line))
    expect(configured).toBeGreaterThan(-1)
    expect(ordered).toBeGreaterThan(configured)
    expect(told).toContain('finishing an installation')
  })
})
