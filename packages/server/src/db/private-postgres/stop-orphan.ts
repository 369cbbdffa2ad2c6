import { join } from 'node:path'
import { claimServer } from './claim.ts'
import { readOrMakePassword } from './password.ts'
import { findRunningServer } from './postmaster-pid.ts'
import { stopServer } from './server-process.ts'

/** Stops a server that a killed process left running on the directory; throws while another process uses it. */
export async function stopOrphan(dataDir: string): Promise<void> {
  const postgresDir = join(dataDir, 'postgres')
  const running = await findRunningServer(postgresDir)
  if (!running) return
  const password = await readOrMakePassword(dataDir)
  const claim = await claimServer(running.socketDir, password).catch((error: Error) => {
    throw new Error(
      `A PostgreSQL of another user runs on ${dataDir}. Stop it first (process ${running.pid}).`,
      { cause: error },
    )
  })
  const alone = await claim.takeAlone()
  await claim.end()
  if (!alone) throw new Error(`A Kiln of an earlier version runs on ${dataDir}. Stop it first.`)
  await stopServer(postgresDir, () => undefined)
}
