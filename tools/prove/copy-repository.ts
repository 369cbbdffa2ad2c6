import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DebianArchitecture } from './debian-root.ts'

/** The files of the repository, without what was installed or built in it. */
export function copyRepository(repository: string, target: string): void {
  mkdirSync(target, { recursive: true })
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
  })
  const files = list
    .toString()
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(repository, path)))
  const archive = execFileSync('tar', ['--create', '--null', '--files-from=-'], {
    cwd: repository,
    input: files.join('\0'),
    maxBuffer: 2 ** 30,
  })
  execFileSync('tar', ['--extract', '--directory', target], { input: archive })
}

/**
 * A copy with the npm packages of the given architecture in it, which this machine installs: in an emulated one, npm
 * takes longer than all the rest. They are kept until the lockfile changes.
 */
export function copyWithPackages(repository: string, target: string, architecture: DebianArchitecture): void {
  mkdirSync(target, { recursive: true })
  execFileSync('find', [
    target,
    '-name',
    'node_modules',
    '-prune',
    '-o',
    '-type',
    'f',
    '-exec',
    'rm',
    '{}',
    '+',
  ])
  copyRepository(repository, target)
  const lock = readFileSync(join(repository, 'package-lock.json'), 'utf8')
  const installed = join(target, 'node_modules/.installed-from')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return
  const cpu = architecture === 'amd64' ? 'x64' : 'arm64'
  const platform = ['--os=linux', `--cpu=${cpu}`, '--libc=glibc']
  execFileSync(
    'npm',
    ['ci', ...platform, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: target,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  writeFileSync(installed, lock)
}
