import type { AdminCommand } from '@kiln/test-support/admin-command.ts'
import type { OperatorSession } from '@kiln/test-support/operator-session.ts'

export interface Instance {
  baseUrl: string
  admin: AdminCommand | null
  /** The operator's session in the console; without one, accounts are created with the admin command. */
  operator?: OperatorSession
  /** Folder of the service's data, where the suite may look for leftovers. */
  dataDir: string | null
}

export interface Instances {
  main: Instance
  hurried: Instance | null
  /** Keys of two accounts with credits, for tests that count nothing. */
  keys: string[]
}

declare module 'vitest' {
  export interface ProvidedContext {
    instances: Instances
  }
}

/** Limits of the hurried service; tests compute with them. */
export const hurriedLimits = {
  prefix: '/edge/convert',
  freeJobs: 3,
  rateWindowSeconds: 20,
  submitsPerWindow: 20,
  pollsPerWindow: 60,
  uploadTtlSeconds: 4,
  outputTtlSeconds: 5,
  recordTtlSeconds: 30,
} as const
