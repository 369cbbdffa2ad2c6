import { readdirSync, readFileSync } from 'node:fs'

/** Processes and threads of a user at this moment: what the kernel counts against its limit of processes. */
export function tasksOf(uid: number): number {
  let tasks = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      if (Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]) !== uid) continue
      tasks += Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 1)
    } catch {
      // Ended while we looked.
    }
  }
  return tasks
}
