import type { AccountJob } from '../types.ts'

type JobLike = Pick<AccountJob, 'status' | 'failureWord' | 'uploaded'>

const isCancelled = ({ failureWord }: JobLike) => failureWord === 'cancelled'

const toneOf = (job: JobLike): string => {
  if (isCancelled(job)) return 'plain'
  return { queued: 'plain', processing: 'info', done: 'good', failed: 'bad' }[job.status]
}

export function StatusBadge({ job }: { job: JobLike }) {
  const text = isCancelled(job)
    ? 'cancelled'
    : job.status === 'queued' && !job.uploaded
      ? 'awaits upload'
      : job.status
  return <span class={`badge ${toneOf(job)}`}>{text}</span>
}

export const Badge = ({ tone, text }: { tone: 'good' | 'warn' | 'bad' | 'info' | 'plain'; text: string }) => (
  <span class={`badge ${tone}`}>{text}</span>
)
