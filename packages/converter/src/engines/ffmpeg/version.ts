import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { probeLimits } from './limits.ts'

/** What a build of ffmpeg may lack and Kiln needs. */
const neededLibraries = ['libx264', 'libvpx', 'libopus', 'libdav1d', 'libzimg']

/** Of the ffmpeg that runs in the box; throws when it does not run or cannot do what is needed. */
export async function version(sandbox: Sandbox): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-ffmpeg-'))
  try {
    const inFolder = join(folder, 'in')
    const outFolder = join(folder, 'out')
    await mkdir(inFolder)
    await mkdir(outFolder)
    const result = await sandbox.run({
      program: 'ffmpeg',
      args: ['-version'],
      inFolder,
      outFolder,
      limits: probeLimits,
    })
    const number = /^ffmpeg version (\S{1,40})/.exec(result.untrustedStdout)?.[1]
    if (result.exitCode !== 0 || !number) throw new Error('ffmpeg does not run. Install the package ffmpeg.')
    const missing = neededLibraries.filter((name) => !result.untrustedStdout.includes(`--enable-${name}`))
    if (missing.length > 0) throw new Error(`ffmpeg ${number} was built without ${missing.join(', ')}.`)
    return number
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
