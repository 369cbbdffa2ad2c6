import type { JobRow } from '../types.ts'

type JobLike = Pick<JobRow, 'status' | 'cancelled' | 'uploaded'>

const toneOf = ({ status, cancelled }: JobLike): string => {
  if (cancelled) return 'plain'
  return { queued: 'plain', processing: 'info', done: 'good', failed: 'bad' }[status]
}

export function StatusBadge({ job }: { job: JobLike }) {
  const text = job.cancelled
    ? 'cancelled'
    : job.status === 'queued' && !job.uploaded
      ? 'awaits upload'
      : job.status
  return <span class={`badge ${toneOf(job)}`}>{text}</span>
}

export const Badge = ({ tone, text }: { tone: 'good' | 'warn' | 'bad' | 'info' | 'plain'; text: string }) => (
  <span class={`badge ${tone}`}>{text}</span>
)
