import { join } from 'node:path'
import { type Claim, claimServer } from './claim.ts'
import { readOrMakePassword } from './password.ts'
import { findRunningServer } from './postmaster-pid.ts'
import { stopServer } from './server-process.ts'

/** Stops a server that an earlier version left running, unless a process of that version still uses it. */
export async function stopUnused(claim: Claim, dataDir: string, log: (line: string) => void): Promise<void> {
  const alone = await claim.takeAlone()
  await claim.end()
  if (!alone) throw new Error(`A Kiln of an earlier version runs on ${dataDir}. Stop it first.`)
  await stopServer(join(dataDir, 'postgres'), log)
}

/** Does the same for any server that runs on the directory. */
export async function stopOrphan(dataDir: string): Promise<void> {
  const running = await findRunningServer(join(dataDir, 'postgres'))
  if (!running) return
  const password = await readOrMakePassword(dataDir)
  const claim = await claimServer(running.socketDir, { password }).catch((error: Error) => {
    throw new Error(
      `A PostgreSQL of another user runs on ${dataDir}. Stop it first (process ${running.pid}).`,
      { cause: error },
    )
  })
  await stopUnused(claim, dataDir, () => undefined)
}
