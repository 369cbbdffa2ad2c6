import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'

/**
 * Resolves when another connection waits for a lock that this one holds. Asked of the locks: who is connected is not
 * looked up again within a transaction.
 */
export async function untilLockWait(holder: Client): Promise<void> {
  for (;;) {
    const { rowCount } = await holder.query(
      'select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))',
    )
    if (rowCount) return
    await delay(10)
  }
}
