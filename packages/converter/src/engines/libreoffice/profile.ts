import { rmSync } from 'node:fs'
import { chmod, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { sofficeBox } from './soffice-box.ts'

// Every conversion gets a profile of its own: two runs on one profile lose each other's output, and
// what one document leaves behind the next must not find. To start quickly they are copies of one that
// LibreOffice has already filled in. That one is made here, once per process, from the folder
// `profile` beside this file, in the box and without any document.

const seed = fileURLToPath(new URL('./profile', import.meta.url))
const restartExitCode = 81

/** The host folder of the filled-in profile. */
export async function bakeProfile(sandbox: Sandbox): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-office-profile-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const [inFolder, outFolder] = [join(folder, 'in'), join(folder, 'out')]
  for (const made of [inFolder, outFolder]) await mkdir(made)
  await chmod(folder, 0o711)
  const box = sofficeBox({ inFolder, outFolder, wallSeconds: 60 })
  const result = await sandbox.run({
    ...box,
    args: ['-c', bakeScript, 'bake'],
    readOnly: [...box.readOnly, { from: seed, to: '/profile' }],
  })
  if (result.ending !== 'exited' || ![0, restartExitCode].includes(result.exitCode ?? -1)) {
    throw new Error(
      `LibreOffice could not make its profile (${result.ending}, exit code ${result.exitCode}). ` +
        `Is it installed? ${result.untrustedStderr.slice(0, 500)}`,
    )
  }
  return join(outFolder, 'profile')
}

// The first start on a new profile asks for a restart (exit code 81); the second finds it complete. It finds
// it under another name: LibreOffice's socket is named after the profile's place, and a box without a /tmp
// of its own cannot remove the one that the first start left.
const start =
  '/usr/lib/libreoffice/program/soffice.bin --headless --norestore --nologo --terminate_after_init'
const bakeScript = `mkdir first && cp -r /profile first/user || exit 1
${start} "-env:UserInstallation=file://$PWD/first"
mv first profile || exit 1
exec ${start} "-env:UserInstallation=file://$PWD/profile"`
