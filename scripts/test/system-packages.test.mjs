import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { repository } from '../setup/stamp.mjs'

// The set-up with fake dpkg, apt and sudo, which only record their arguments.

const nobody = 65534
const isRoot = process.getuid() === 0
const folder = mkdtempSync(join(tmpdir(), 'kiln-system-packages-'))
chmodSync(folder, 0o755)
cpSync(join(repository, 'scripts'), join(folder, 'scripts'), { recursive: true })
mkdirSync(join(folder, '.setup'))
chmodSync(join(folder, '.setup'), 0o777)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const releases = {
  bookworm: 'ID=debian\nVERSION_CODENAME=bookworm\n',
  trixie: 'ID=debian\nVERSION_CODENAME=trixie\n',
  noble: 'ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble\n',
  fedora: 'ID=fedora\n',
}

/** Runs the step on a machine whose programs answer as given; all else that they are asked is noted. */
function setUp(name, programs, { asRoot, on = 'bookworm', tests = false }) {
  const bin = join(folder, name)
  const log = join(bin, 'log')
  mkdirSync(bin)
  const osRelease = join(bin, 'os-release')
  writeFileSync(osRelease, releases[on])
  writeFileSync(log, '')
  chmodSync(log, 0o666)
  const quiet = Object.fromEntries(
    ['apt-get', 'apt-cache', 'dpkg', 'dpkg-query', 'install', 'rm', 'cp', 'sudo'].map((each) => [each, '']),
  )
  for (const [program, text] of Object.entries({ ...quiet, ...programs })) {
    writeFileSync(join(bin, program), `#!/bin/sh\necho "${program} $*" >> ${log}\n${text}\n`, { mode: 0o755 })
  }
  for (const stamp of ['system', 'system-for-tests']) rmSync(join(folder, '.setup', stamp), { force: true })
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--eval',
      `import('${folder}/scripts/setup/system-packages.mjs').then((step) => step.installSystemPackages('${osRelease}'))`,
      '--',
      ...(tests ? ['--tests'] : []),
    ],
    { env: { PATH: bin }, encoding: 'utf8', ...(isRoot && !asRoot && { uid: nobody, gid: nobody }) },
  )
  return { output: stdout + stderr, asked: readFileSync(log, 'utf8').split('\n') }
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
    const { output, asked } = setUp(
      'plain',
      { ...withoutRights, ...inCatalogue, 'dpkg-query': installed('pandoc', 'ffmpeg', 'fonts-noto-cjk') },
      { asRoot: false },
    )
    expect(output).toContain(
      '\n  apt-get update && apt-get install -y --no-install-recommends pandoc ffmpeg fonts-noto-cjk\n',
    )
    expect(output).toMatch(/goes on without pandoc, ffmpeg, fonts\./)
    expect(asked.filter((line) => line.startsWith('apt-get'))).toEqual([])
  })

  test('gets no command when only a package is missing that this release does not have', () => {
    const programs = { ...withoutRights, 'dpkg-query': installed('fonts-liberation2') }
    expect(setUp('merged', programs, { asRoot: false }).output).not.toContain('apt-get')
  })
})

/** The packages that apt was asked to install, and from which release. */
const ordered = (asked) =>
  asked
    .filter((line) => /^apt-get .* install /.test(line))
    .map((line) => / install --no-install-recommends (.*)$/.exec(line)?.[1])

describe.runIf(isRoot)('root', () => {
  test('finishes what an interrupted installation left, before anything is installed', () => {
    const programs = {
      ...inCatalogue,
      'dpkg-query': installed('pandoc'),
      dpkg: '[ $1 = --audit ] && echo half done',
    }
    const { output, asked } = setUp('interrupted', programs, { asRoot: true })
    const configured = asked.findIndex((line) => line.startsWith('dpkg --configure -a'))
    expect(configured).toBeGreaterThan(-1)
    expect(ordered(asked.slice(0, configured))).toEqual([])
    expect(ordered(asked.slice(configured))).toEqual(['pandoc'])
    expect(output).toContain('finishing an installation')
  })

  test('on Debian 12 takes LibreOffice from the backports', () => {
    const policy = 'echo "  Candidate: 4:7.4.7-1"; [ $1 = madison ] && echo " x | 4:25.2.3-2~bpo12+1 | y"'
    const programs = {
      'apt-cache': policy,
      'apt-get': 'if [ $1 = indextargets ]; then echo "http://debian.example bookworm"; fi',
      'dpkg-query': installed('libreoffice-writer', 'pandoc'),
    }
    const { asked } = setUp('bookworm', programs, { asRoot: true })
    expect(asked.some((line) => /^install .*kiln-bookworm-backports\.sources$/.test(line))).toBe(true)
    expect(ordered(asked)).toEqual(['pandoc', '-t bookworm-backports libreoffice-writer'])
  })

  test('on Debian 13 asks for no package that has become a part of another', () => {
    const gone = ['fonts-liberation2', 'linux-libc-dev-amd64-cross', 'linux-libc-dev-arm64-cross']
    const programs = {
      'apt-cache': `case " ${gone.join(' ')} " in *" $2 "*) echo "  Candidate: (none)" ;; *) echo "  Candidate: 4:25.2.3-2" ;; esac`,
      'dpkg-query': installed(...gone, 'libreoffice-writer', 'curl'),
    }
    const { asked } = setUp('trixie', programs, { asRoot: true, on: 'trixie', tests: true })
    expect(ordered(asked)).toEqual(['libreoffice-writer curl'])
  })

  test('on Ubuntu 24.04 leaves Chromium out, and says so', () => {
    const programs = {
      'apt-cache': 'echo "  Candidate: 4:24.2.7-0ubuntu0.24.04.4"',
      'dpkg-query': installed('chromium-headless-shell', 'chromium', 'libreoffice-writer'),
    }
    const { output, asked } = setUp('noble', programs, { asRoot: true, on: 'noble', tests: true })
    expect(ordered(asked)).toEqual(['libreoffice-writer'])
    expect(output).toMatch(/Ubuntu has Chromium as a snap only, which cannot run in the sandbox/)
    expect(output).toMatch(/Ubuntu has Chromium as a snap only: tests in a browser do not run here/)
  })
})

const sudo = `shift; [ "$1" = env ] || exit 0
shift; while case "$1" in *=*) ;; *) false ;; esac; do shift; done; exec "$@"`

test('a user with sudo installs through it, and sudo keeps what apt has to know', () => {
  const programs = { ...inCatalogue, 'dpkg-query': installed('pandoc'), sudo }
  const { output, asked } = setUp('sudo', programs, { asRoot: false })
  expect(asked.filter((line) => /^sudo .* apt-get .* install /.test(line))).toEqual([
    expect.stringMatching(/^sudo -n env DEBIAN_FRONTEND=noninteractive LC_ALL=C\.UTF-8 apt-get /),
  ])
  expect(ordered(asked)).toEqual(['pandoc'])
  expect(output).not.toMatch(/An administrator has to run/)
})

test('a user with sudo installs where another user wrote the log before', () => {
  const log = join(folder, '.setup/apt.log')
  rmSync(log, { force: true })
  writeFileSync(log, 'of another user\n', { mode: 0o444 })
  const programs = { ...inCatalogue, 'dpkg-query': installed('pandoc'), sudo }
  const { output, asked } = setUp('log-of-another', programs, { asRoot: false })
  expect(ordered(asked)).toEqual(['pandoc'])
  expect(output).not.toMatch(/EACCES|Error/)
  expect(readFileSync(log, 'utf8')).toMatch(/apt-get .* install .* pandoc/)
})

test('nothing is asked of apt on another system', () => {
  const { output, asked } = setUp('fedora', {}, { asRoot: false, on: 'fedora' })
  expect(asked).toEqual([''])
  expect(output).not.toContain('apt-get')
})
