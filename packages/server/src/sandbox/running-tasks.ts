import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

// In a container one sees the container's own processes. The kernel counts those of all containers on the
// machine that run as the same user, as copies of one image do; so there is room left for them. What holds
// a flood of processes there is the container's own limit (pids_limit), and the end of the run.
const unseenTasks = 8192

// The number that Linux gives to the namespace of process ids that it starts with.
const seesAllProcesses = () => readlinkSync('/proc/self/ns/pid') === 'pid:[4026531836]'

/** Processes and threads of a user at this moment: what the kernel counts against its limit of processes. */
export function tasksOf(uid: number): number {
  let tasks = seesAllProcesses() ? 0 : unseenTasks
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
