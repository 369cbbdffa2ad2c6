import { type CpuBudget, createCpuBudget } from './cpu-budget.ts'
import { createKeyCache, type FindAccount, type KeyCache } from './key-cache.ts'
import { createRate, type Rate } from './rate-limit.ts'
import { createSubmitJob, type SubmitJob, type SubmitJobParts } from './submit-job.ts'

// State that every API of this process shares: the cache of keys, and the rates and CPU time of their accounts.

export interface Admission {
  keys: KeyCache
  submitJob: SubmitJob
  pollRate: Rate
  cpuBudget: CpuBudget
}

export interface AdmissionParts extends Omit<SubmitJobParts, 'rate' | 'replayRate'> {
  /** The account of a valid key; null for a key that is unknown or revoked. */
  findKeyAccount: FindAccount
  submitRatePerMinute: number
  pollRatePerMinute: number
  rateWindowSeconds: number
  agentCpuSecondsPerMinute: number
}

export function createAdmission(parts: AdmissionParts): Admission {
  const { submitRatePerMinute, pollRatePerMinute, rateWindowSeconds: windowSeconds } = parts
  const keys = createKeyCache(parts.findKeyAccount)
  const rate = (name: string, perMinute: number) => createRate(name, { perMinute, windowSeconds }, keys)
  return {
    keys,
    submitJob: createSubmitJob({
      ...parts,
      rate: rate('submit', submitRatePerMinute),
      replayRate: rate('replay', Math.max(60, submitRatePerMinute)),
    }),
    pollRate: rate('poll', pollRatePerMinute),
    cpuBudget: createCpuBudget(parts.agentCpuSecondsPerMinute),
  }
}
