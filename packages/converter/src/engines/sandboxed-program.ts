import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openArtifact } from '../artifact.ts'
import { encodingName } from '../catalog/encoding/encoding-names.ts'
import { isZip } from '../catalog/file-types/upload.ts'
import { mailOptions, textInputOptions } from '../catalog/options/every-engine.ts'
import { argumentsOf } from '../catalog/options/option.ts'
import { readStart } from '../read-start.ts'
import type { SandboxSpec } from '../sandbox/sandbox.ts'
import type { EngineRun } from './engine.ts'
import type { EngineSentences } from './judge-ending.ts'
import { failureOfOwnProgram } from './reported-failure.ts'

// Kiln's programs that read the input in the sandbox before an engine gets it (src/sandboxed-programs): documents are decrypted,
// archives are unpacked, e-mails become pages. They write to the run's output directory. Set-up bundles them.

const programs = openArtifact(new URL('../../sandboxed-programs/build', import.meta.url))
const megabyte = 1024 * 1024

const sandboxed = {
  program: '/kiln/node',
  readOnly: [
    { from: process.execPath, to: '/kiln/node' },
    { from: programs, to: '/kiln/programs' },
  ],
  // Node would read a configuration file in /etc, which does not exist in the sandbox.
  environment: { OPENSSL_CONF: '/dev/null' },
  limits: {
    wallSeconds: 120,
    cpuSeconds: 60,
    processes: 64,
    logBytes: 64 * 1024,
    // Address space: Node reserves much more than it uses.
    memoryBytes: 20 * 1024 * megabyte,
    fileBytes: 512 * megabyte,
    diskBytes: 512 * megabyte,
  },
} satisfies Partial<SandboxSpec>

/** Limits the heap, so that a file that needs more fails soon. */
const nodeFlags = ['--no-warnings', '--max-old-space-size=1024']

const sentences: EngineSentences = {
  tooLong: 'The file took longer to open than a conversion may take. Send less in it.',
  tooLarge: 'The file unpacks to more than the service allows. Send less in it.',
  outOfMemory: 'The file needs more memory to open than a conversion may use. Send less in it.',
}

export type SandboxedProgramRun = Pick<
  EngineRun,
  'sandbox' | 'inFolder' | 'outFolder' | 'inputName' | 'signal'
>

export async function runSandboxedProgram(
  run: SandboxedProgramRun,
  program: string,
  args: readonly string[],
): Promise<string> {
  if (!existsSync(join(programs, `${program}.mjs`)))
    throw new Error(
      'packages/converter/sandboxed-programs/build is missing. Run `node scripts/setup.mjs`, which makes it.',
    )
  const { inFolder, outFolder, signal } = run
  const result = await run.sandbox.run({
    ...sandboxed,
    inFolder,
    outFolder,
    signal,
    args: [...nodeFlags, `/kiln/programs/${program}.mjs`, `/in/${run.inputName}`, ...args],
  })
  const ended = { engine: program, sentences, signal }
  const failure = failureOfOwnProgram(result, ended, 'The file could not be opened.')
  if (failure) throw failure
  return result.untrustedStdout
}

/** Extracts the archive that the document and its parts were uploaded as. */
export async function openArchive(run: EngineRun, args: readonly string[]): Promise<void> {
  const { encoding } = argumentsOf(textInputOptions, run.pair, run.options)
  const encodingArgs = encoding === undefined ? [] : ['--encoding', encodingName(encoding) ?? encoding]
  await runSandboxedProgram(run, 'open-archive', [run.from, ...args, ...encodingArgs])
}

/** Writes an e-mail as a page to `name` in the output directory. */
export async function writeMailPage(run: EngineRun, name: string, args: readonly string[]): Promise<void> {
  const appends = argumentsOf(mailOptions, run.pair, run.options).attachments === 'appended'
  const options = [...args, ...(appends ? ['--append-attachments'] : [])]
  const untrustedStdout = await runSandboxedProgram(run, 'read-mail', [`/out/${name}`, ...options])
  const counts = /^\{"unappended":(\d{1,6}),"unread":(\d{1,6})\}$/m.exec(untrustedStdout)
  const [unappended, unread] = [Number(counts?.[1] ?? 0), Number(counts?.[2] ?? 0)]
  if (unappended > 0) run.note({ remarks: [unappendedRemark(unappended)] })
  if (unread > 0) run.note({ remarks: [unreadRemark(unread)] })
}

const unappendedRemark = (count: number): string =>
  `${count === 1 ? 'One attachment is' : `${count} attachments are`} only listed: pictures, texts and e-mails can be appended, other files cannot.`

const unreadRemark = (count: number): string =>
  `${count === 1 ? 'One message' : `${count} messages`} of the mailbox could not be read, and only the headers are shown. The reason is in its place.`

/** Was the document uploaded as an archive, with its parts? */
export const isArchive = async (run: Pick<EngineRun, 'inFolder' | 'inputName'>): Promise<boolean> =>
  isZip(await readStart(join(run.inFolder, run.inputName), 4))
