import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { sofficeBox } from './soffice-box.ts'

/** For `doctor`: such as `LibreOffice 25.2.3.2`. */
export async function libreOfficeVersion(sandbox: Sandbox): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-office-version-'))
  try {
    const [inFolder, outFolder] = [join(folder, 'in'), join(folder, 'out')]
    for (const made of [inFolder, outFolder]) await mkdir(made)
    const result = await sandbox.run({
      ...sofficeBox({ inFolder, outFolder, wallSeconds: 20 }),
      program: '/usr/lib/libreoffice/program/soffice.bin',
      args: ['--version'],
    })
    const version = /LibreOffice \d+(\.\d+)*/.exec(result.untrustedStdout)?.[0]
    if (!version) throw new Error(`LibreOffice does not start: ${result.untrustedStderr.slice(0, 300)}`)
    return version
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
