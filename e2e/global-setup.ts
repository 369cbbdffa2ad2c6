import { localAdmin } from '@kiln/test-support/admin-command.ts'
import { createAccountByConsole, signInAsOperator } from '@kiln/test-support/operator-session.ts'
import {
  environment,
  type RunningService,
  type StartOptions,
  startService,
} from '@kiln/test-support/start-service.ts'
import type { TestProject } from 'vitest/node'
import { hurriedLimits, type Instance, type Instances } from './instances.ts'

// Where the suite runs. With KILN_E2E_URL it runs against that deployment, with the keys of KILN_E2E_KEYS (two
// accounts, the first with credits) and, if given, the admin command of KILN_E2E_ADMIN. Without it the suite starts two
// services:
// - main: with all default settings;
// - hurried: another prefix, seconds instead of hours, and limits that a test can reach.
// Tests that need the admin command or the hurried service do not run against a deployment that lacks them; their
// titles say so.
const started: RunningService[] = []

type LocalInstance = Instance & Required<Pick<Instance, 'operator'>>

const start = async (options: StartOptions = {}): Promise<LocalInstance> => {
  const service = await startService(options)
  started.push(service)
  const operator = await signInAsOperator(service)
  const { baseUrl, dataDir, settings } = service
  return { baseUrl, dataDir, admin: localAdmin(settings), operator }
}

/** An account that many files share. */
const sharedKey = async ({ operator }: LocalInstance): Promise<string> =>
  (await createAccountByConsole(operator, 'Shared', 100_000)).key.key

/** The setting that gives this many requests per window. */
const perMinute = (perWindow: number): string => String((perWindow * 60) / hurriedLimits.rateWindowSeconds)

const ownServices = async (): Promise<Instances> => {
  const [main, hurried] = await Promise.all([
    // With the default settings, except for the address.
    start({ settings: { KILN_WAITING_DOCUMENTS: '1' } }),
    start({
      prefix: hurriedLimits.prefix,
      settings: {
        KILN_FREE_JOBS_PER_MONTH: String(hurriedLimits.freeJobs),
        KILN_RATE_WINDOW_SECONDS: String(hurriedLimits.rateWindowSeconds),
        KILN_SUBMIT_RATE_PER_MINUTE: perMinute(hurriedLimits.submitsPerWindow),
        KILN_POLL_RATE_PER_MINUTE: perMinute(hurriedLimits.pollsPerWindow),
        KILN_UPLOAD_TTL_SECONDS: String(hurriedLimits.uploadTtlSeconds),
        KILN_OUTPUT_TTL_SECONDS: String(hurriedLimits.outputTtlSeconds),
        KILN_RECORD_TTL_SECONDS: String(hurriedLimits.recordTtlSeconds),
        KILN_SWEEP_INTERVAL_SECONDS: '1',
        KILN_WEBHOOKS_TO_PRIVATE: '1',
      },
    }),
  ])
  return { main, hurried, keys: await Promise.all([sharedKey(main), sharedKey(main)]) }
}

const givenDeployment = (url: string): Instances => {
  const keys = (process.env.KILN_E2E_KEYS ?? '').split(',').filter((key) => key !== '')
  if (keys.length < 2)
    throw new Error('KILN_E2E_URL is set, so KILN_E2E_KEYS must hold the keys of two accounts: key1,key2.')
  const command = process.env.KILN_E2E_ADMIN
  const settings = Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => /^(KILN_(?!E2E)|DATABASE_URL)/.test(entry[0]) && !!entry[1],
    ),
  )
  const admin = command ? { command: command.split(' '), settings: environment(settings) } : null
  return { main: { baseUrl: url.replace(/\/$/, ''), admin, dataDir: null }, hurried: null, keys }
}

export const setup = async (project: TestProject): Promise<void> => {
  const url = process.env.KILN_E2E_URL
  try {
    project.provide('instances', url ? givenDeployment(url) : await ownServices())
  } catch (error) {
    await teardown()
    throw error
  }
}

export const teardown = async (): Promise<void> => {
  const ends = await Promise.allSettled(
    started.splice(0).map(async (service) => {
      await service.stop()
      await service.remove()
    }),
  )
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
