import { lstatSync } from 'node:fs'
import { lastLines, run } from './run.mjs'
import { say, warn } from './say.mjs'

// The service that root starts does not run as root, so it can read only world-readable files. A clone that was made
// with a strict umask (027, 077) is made readable: the program and the set-up's artifacts, and nothing else, in
// particular not `.git`, whose settings may contain a password. The parent folders are not changed.

const program = ['packages', 'node_modules', '.setup']

export async function openProgramForReading(folder = '.') {
  if (process.getuid?.() !== 0) return
  const samples = [
    folder,
    ...program.map((name) => `${folder}/${name}`),
    `${folder}/packages/server/src/main-all.ts`,
  ]
  if (samples.every(isOpen)) return
  say('opening the program for reading by the user that runs the service')
  const paths = program.map((name) => `${folder}/${name}`)
  for (const args of [
    ['o+rx', folder],
    ['-R', 'o+rX', '--', ...paths],
  ]) {
    const result = await run('chmod', args)
    if (!result.ok) warn(`chmod could not open ${folder}: ${lastLines(result.output, 3)}`)
  }
}

function isOpen(path) {
  const status = lstatSync(path, { throwIfNoEntry: false })
  const wanted = status?.isDirectory() ? 0o005 : 0o004
  return status === undefined || (status.mode & wanted) === wanted
}
