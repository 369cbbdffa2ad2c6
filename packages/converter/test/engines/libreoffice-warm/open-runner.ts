import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createColdRunner, type OfficeRunner } from '../../../src/engines/libreoffice/cold-soffice.ts'
import { createWarmRunner, type WarmOptions } from '../../../src/engines/libreoffice/warm-runner.ts'
import { type ClosableSandbox, createSandbox } from '../../../src/sandbox/create-sandbox.ts'
import { findEngineUser } from '../../../src/sandbox/engine-user.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { convert, partsOf, sample } from './documents.ts'

// Warm runners whose cold runs are counted, and a look at the processes of their servers.

export interface Place {
  root: string
  sandbox: ClosableSandbox
  close(): Promise<void>
}

export async function openPlace(): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'kiln-recovery-'))
  await chmod(root, 0o711)
  const sandbox = await createSandbox('bubblewrap', await findEngineUser())
  return {
    root,
    sandbox,
    async close() {
      await sandbox.close()
      await rm(root, { recursive: true, force: true })
    },
  }
}

export async function openRunner(
  { root, sandbox }: Place,
  options: WarmOptions = {},
  base: Sandbox = sandbox,
) {
  const folder = await mkdtemp(join(root, 'runner-'))
  await chmod(folder, 0o711)
  let coldRuns = 0
  const messages: string[] = []
  const parts = partsOf(base, { scratch: folder, cache: join(root, 'cache') }, (message) =>
    messages.push(message),
  )
  const cold = createColdRunner(parts)
  const counted: OfficeRunner = (plan, job) => {
    coldRuns += 1
    return cold(plan, job)
  }
  const warm = createWarmRunner(parts, { cold: counted, ...options })
  const docx = () => convert(warm.run, sandbox, folder, sample('text.docx'))
  return { warm, folder, docx, messages, coldRuns: () => coldRuns }
}
export type Opened = Awaited<ReturnType<typeof openRunner>>

/** Names of the work folders of fork servers. */
export const workFolders = async (folder: string) =>
  (await readdir(folder)).filter((name) => existsSync(join(folder, name, 'server')))

/** Host process ids of fork servers whose work folder lies in the folder, the children included. */
export function processesOf(folder: string, name: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== name) return false
        return readlinkSync(`/proc/${pid}/cwd`).startsWith('/jobs/') && mountsHold(pid, folder)
      } catch {
        // The process has ended.
        return false
      }
    })
}

const mountsHold = (pid: number, folder: string) =>
  readFileSync(`/proc/${pid}/mountinfo`, 'utf8').includes(folder)

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 200_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('It did not come to pass.')
    await delay(20)
  }
}
