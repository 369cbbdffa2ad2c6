import type { Lane } from '@kiln/converter/catalog'
import type { Trx } from '../db/connect.ts'

// The queue holds the work; the job row is the source of truth.
//
// Work waits in a lane until a worker takes it. That worker holds a lease and must renew it; when a lease expires, the
// work can be taken again, at most ten times in total. After that it is abandoned, and one worker gets it to end it.
// Ten, because a killed worker says nothing about the work that it held; the worker decides how often an attempt may
// break down. Enqueueing and removing are part of the caller's transaction, so the job row and the queue are always
// consistent.

export interface Work {
  jobId: string
  lane: Lane
  accountId: string
  /** Identifies this taking, internally to the queue; a later taking has another lease. */
  lease: { queue: string; id: string; retryCount: number }
}

export interface Taken<Begun> {
  work: Work
  /** Null when the work was obsolete. */
  begun: Begun | null
}

export interface Queue {
  enqueue(trx: Trx, work: { jobId: string; lane: Lane; accountId: string; turn: number }): Promise<void>
  /** Notifies idle workers. Call it after the commit. */
  wake(lane: Lane): void
  /**
   * Takes work and begins it, in one transaction. When `begin` returns null, the work is obsolete and leaves the queue.
   * Work of the accounts in `except` is skipped.
   */
  take<Begun>(
    lane: Lane,
    begin: (trx: Trx, work: Work) => Promise<Begun | null>,
    except?: readonly string[],
  ): Promise<Taken<Begun> | null>
  /** False when the lease has been lost. */
  keep(work: Work): Promise<boolean>
  /** The work has ended. False when the lease has been lost: then roll back. */
  remove(trx: Trx, work: Work): Promise<boolean>
  /** Removes the work of a job from its lane. A worker that holds it loses its lease. */
  drop(trx: Trx, work: { jobId: string; lane: Lane }): Promise<void>
  /** This attempt failed, and the file is not the cause; it is retried after a backoff. */
  fail(work: Work, reason: string): Promise<void>
  /** The worker stops or cannot work; the work returns to the queue, and no attempt is counted. */
  handBack(work: Work, afterSeconds?: number): Promise<void>
  /** Requeues work whose lease has expired. Call it every few seconds while work is held. */
  reclaim(): Promise<void>
  /** Work whose attempts are used up: it is taken, kept and removed like any other, but never run. */
  takeAbandoned(): Promise<Work | null>
  /** Calls back when there may be work in a lane. */
  onWake(callback: (lane: Lane) => void): () => void
  close(): Promise<void>
}
