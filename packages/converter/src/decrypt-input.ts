import { createWriteStream } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openOutput } from './checks/index.ts'
import { runSandboxedProgram, type SandboxedProgramRun } from './engines/sandboxed-program.ts'

const passwordName = 'decryption-password'
const outputName = 'decrypted'

/** Replaces an encrypted input by the decrypted document. The program that decrypts it runs in the sandbox. */
export async function decryptInput(run: SandboxedProgramRun, password: string): Promise<void> {
  const passwordPath = join(run.inFolder, passwordName)
  await writeFile(passwordPath, password, { flag: 'wx', mode: 0o444 })
  await runSandboxedProgram(run, 'decrypt', [`/in/${passwordName}`, `/out/${outputName}`])
  await rm(passwordPath)
  const { handle, path } = await openOutput(run.outFolder, outputName)
  const input = join(run.inFolder, run.inputName)
  const copy = `${input}.decrypted`
  await pipeline(handle.createReadStream(), createWriteStream(copy, { flags: 'wx', mode: 0o644 }))
  await rename(copy, input)
  await rm(path)
}
