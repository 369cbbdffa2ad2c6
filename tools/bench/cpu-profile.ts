import { writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { setTimeout as delay } from 'node:timers/promises'

/** Writes a CPU profile of this process over the given time. */
export async function startCpuProfile({ path, seconds }: { path: string; seconds: number }): Promise<void> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
  await delay(seconds * 1000)
  const { profile } = await session.post('Profiler.stop')
  await writeFile(path, JSON.stringify(profile))
  session.disconnect()
}
