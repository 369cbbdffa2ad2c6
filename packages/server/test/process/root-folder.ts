import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type ServiceProcess, startService } from './service-process.ts'

/** A folder of root's for each test, and a service in it. */
export function useRootFolder() {
  let root: string
  let service: ServiceProcess | null = null
  const dataFolder = () => join(root, 'data')
  beforeEach(async () => {
    // Closed to others, as root's home is.
    root = await mkdtemp(join(tmpdir(), 'kiln-never-root-'))
  })
  afterEach(async () => {
    await service?.stop('SIGTERM')
    service = null
    await rm(root, { recursive: true, force: true })
  })
  const start = async (port?: number) => {
    // A private temporary directory, as libpam-tmpdir gives to root.
    service = await startService(dataFolder(), { TMPDIR: root }, port)
    return service
  }
  return { root: () => root, dataFolder, start }
}

export const uidOf = (pid: number | string) => Number(/^Uid:\t(\d+)/m.exec(statusOf(pid))?.[1] ?? Number.NaN)

export const statusOf = (pid: number | string): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    // The process has ended.
    return ''
  }
}
