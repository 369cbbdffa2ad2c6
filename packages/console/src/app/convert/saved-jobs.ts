import type { OptionValues } from '../../shared/parts/options-form.tsx'

// Jobs that this browser has submitted, so that closing the page does not lose them. Each is a separate entry in
// localStorage, so that two tabs never overwrite each other's. The names of files are stored here and not on the
// server.

export interface SavedJob {
  key: string
  jobId: string
  name: string
  size: number
  from: string
  to: string
  /** Null when they hold a password, which is not stored. */
  options: OptionValues | null
  /** The user who owns the job. */
  user: string
  savedAt: number
}

const prefix = 'kiln.job.'
const keptMilliseconds = 86_400_000

export function saveJob(job: SavedJob): void {
  try {
    localStorage.setItem(prefix + job.key, JSON.stringify(job))
  } catch {
    // Private windows and full disks: the job is then forgotten with the page, and stays on the account page.
  }
}

export function forgetJob(key: string): void {
  try {
    localStorage.removeItem(prefix + key)
  } catch {
    // There is no storage, so there is nothing to forget.
  }
}

/** The jobs of the user, oldest first. Those older than a day are removed. */
export function savedJobs(user: string): SavedJob[] {
  let keys: string[] = []
  try {
    keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix))
  } catch {
    // There is no storage.
    return []
  }
  const jobs = keys.flatMap((key) => parse(localStorage.getItem(key)) ?? [])
  for (const job of jobs) if (Date.now() - job.savedAt > keptMilliseconds) forgetJob(job.key)
  return jobs
    .filter((job) => job.user === user && Date.now() - job.savedAt <= keptMilliseconds)
    .sort((a, b) => a.savedAt - b.savedAt)
}

/** Calls back when another tab saves or forgets a job. */
export function onSavedElsewhere(callback: () => void): () => void {
  const listener = ({ key }: StorageEvent) => {
    if (key === null || key.startsWith(prefix)) callback()
  }
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}

function parse(text: string | null): SavedJob | null {
  try {
    return text === null ? null : (JSON.parse(text) as SavedJob)
  } catch {
    // Written by another program, or by an older version.
    return null
  }
}
