import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SandboxSpec } from '../sandbox/sandbox.ts'
import type { EngineParts } from './engine.ts'

/** Runs a program in the sandbox that it converts files in, and finds its version in the output. */
export async function askVersion(
  { sandbox, scratch }: EngineParts,
  spec: Omit<SandboxSpec, 'inFolder' | 'outFolder'>,
  pattern: RegExp,
  advice: string,
): Promise<{ version: string; untrustedStdout: string }> {
  const folder = await mkdtemp(join(scratch, 'version-'))
  try {
    const [inFolder, outFolder] = [join(folder, 'in'), join(folder, 'out')]
    for (const made of [inFolder, outFolder]) await mkdir(made)
    const { untrustedStdout, untrustedStderr } = await sandbox.run({ ...spec, inFolder, outFolder })
    const version = pattern.exec(untrustedStdout)?.[0]
    if (!version) throw new Error(`${advice} ${untrustedStderr.slice(0, 300)}`.trim())
    return { version, untrustedStdout }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
