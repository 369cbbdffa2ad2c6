import type { SubmitResult } from '@kiln/contract'
import type { AccountLoadWatch } from '../conversions/account-load.ts'
import type { Submit, SubmitAnswer } from '../conversions/submit.ts'
import { KilnError, refused, unavailable } from '../errors.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { SpanOptions, Tracing } from '../telemetry/tracing.ts'
import { unknownKey } from './authenticate.ts'
import { createCpuBudget } from './cpu-budget.ts'
import { createKeyCache, type FindAccount } from './key-cache.ts'
import { createRate, overRate, type Rate, type RateState } from './rate-limit.ts'

// State that every API of this process shares: the cache of keys, and the rates and CPU time of their accounts.

export interface AdmissionParts extends Omit<SubmitJobParts, 'rate' | 'replayRate'> {
  /** The account of a valid key; null for a key that is unknown or revoked. */
  findKeyAccount: FindAccount
  submitRatePerMinute: number
  pollRatePerMinute: number
  rateWindowSeconds: number
  agentCpuSecondsPerMinute: number
}

export function createAdmission(parts: AdmissionParts) {
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

export type Admission = ReturnType<typeof createAdmission>

// Submits one job for an account within its rate limit, for all APIs. A refusal is thrown as an error of the interface.

export interface SubmitJobParts {
  submit: Submit
  rate: Rate
  replayRate: Rate
  load: AccountLoadWatch
  metrics: Metrics
  tracing: Tracing
}

export interface JobSubmission {
  keyHash: Buffer
  pair: string
  bytes: number
  options?: Readonly<Record<string, unknown>> | undefined
  idempotencyKey: string | null
  /** Also accept the pairs and options that only the compatibility APIs use. */
  withInternal?: boolean
  span: SpanOptions
}

export interface SubmittedJob {
  outcome: 'created' | 'replay'
  result: SubmitResult
  headers: Record<string, string>
}

export type SubmitJob = (submission: JobSubmission) => Promise<SubmittedJob>

function createSubmitJob(parts: SubmitJobParts): SubmitJob {
  const { submit, rate, replayRate, load, metrics, tracing } = parts
  return async ({ span, idempotencyKey, ...submission }) => {
    const { keyHash, pair } = submission
    const taken = await rate.take(keyHash)
    if (!taken) throw unknownKey()
    // Beyond the rate a replay is still answered. Looking it up costs a round trip, so that is rate-limited as well.
    const mayBeReplay = taken.within || (await replayRate.take(keyHash))?.within
    const refusal = taken.within ? load.refusalOf(taken.accountId) : 'rate-limited'
    const answer = await tracing
      .span('submit', span, (traceParent) =>
        submit({
          ...submission,
          refusal,
          traceParent,
          idempotencyKey: mayBeReplay ? idempotencyKey : null,
        }),
      )
      .catch(async (error) => {
        await taken.putBack()
        throw error
      })
    metrics.submitted(pair, answer.outcome)
    // Only requests that could have become a job count against the rate.
    if (answer.outcome !== 'created' && answer.outcome !== 'no-credits') await taken.putBack()
    if (answer.outcome === 'created' || answer.outcome === 'replay')
      return { outcome: answer.outcome, result: answer.result, headers: taken.headers }
    const { code, message, headers } = refusalOf(answer.outcome, taken)
    throw new KilnError(code, message, { headers: { ...taken.headers, ...headers } })
  }
}

function refusalOf(outcome: Exclude<SubmitAnswer['outcome'], 'created' | 'replay'>, taken: RateState) {
  switch (outcome) {
    case 'unknown-key':
      return unknownKey()
    case 'mismatch':
      return refused(
        'idempotency-mismatch',
        'This Idempotency-Key was used with another pair or size, or with other options. Use a new key for another request.',
      )
    case 'rate-limited':
      return overRate(taken)
    case 'account-busy':
      return tryLater(
        'This account has as many jobs waiting and running as it may. Wait until some have ended.',
      )
    case 'account-failing':
      return tryLater(
        'The conversions of this account, or of its parent account, that ended without an output within the last hour took as long as such conversions may. Look at what failed, and go on later.',
      )
    case 'queue-full':
      return unavailable('Too many jobs are waiting just now. Try again later.', undefined, 30)
    case 'no-credits':
      return refused(
        'require-credits',
        'The free conversions of this month are used up, and the account has too few credits for this pair. Add credits.',
      )
  }
}

const tryLater = (sentence: string) => refused('rate-limited', sentence, { 'retry-after': '30' })
