import type { Lane } from '@kiln/converter/catalog'
import type { Trx } from '../db/connect.ts'

// The queue carries the work, the job row carries the truth.
//
// A piece of work waits in a lane until a worker takes it. That worker holds a lease and must
// keep it alive; a lease that is not kept ends by itself and the work can be taken again, at most
// ten times in all. After that it is abandoned, and one worker gets it to end it. Ten, because a worker that is killed
// says nothing about the work that it held; how often an attempt may break down is for the worker to judge.
// Enqueueing and removing happen inside the caller's transaction, so the job row and the queue
// never disagree.

export interface Work {
  jobId: string
  lane: Lane
  accountId: string
  /** Names this taking, and is the queue's own business; a later taking has another. */
  lease: { queue: string; id: string; retryCount: number }
}

export interface Taken<Begun> {
  work: Work
  /** Null when the work turned out to be void. */
  begun: Begun | null
}

export interface Queue {
  enqueue(trx: Trx, work: { jobId: string; lane: Lane; accountId: string; turn: number }): Promise<void>
  /** Notifies idle workers. Call it after the commit. */
  wake(lane: Lane): void
  /**
   * Takes work and begins it, in one transaction. When `begin` gives null there is nothing to begin:
   * the work leaves the queue. Work of the accounts in `except` is passed over.
   */
  take<Begun>(
    lane: Lane,
    begin: (trx: Trx, work: Work) => Promise<Begun | null>,
    except?: readonly string[],
  ): Promise<Taken<Begun> | null>
  /** False when the lease has been lost. */
  keep(work: Work): Promise<boolean>
  /** The work is over. False when the lease has been lost: then roll back. */
  remove(trx: Trx, work: Work): Promise<boolean>
  /** Removes the work of a job from its lane. A worker that holds it loses its lease. */
  drop(trx: Trx, work: { jobId: string; lane: Lane }): Promise<void>
  /** This attempt failed through no fault of the file; it is tried again after a pause. */
  fail(work: Work, reason: string): Promise<void>
  /** The worker stops or cannot work; the work goes back untouched and costs no attempt. */
  handBack(work: Work, afterSeconds?: number): Promise<void>
  /** Gives back work whose lease has lapsed. To be called every few seconds while work is held. */
  reclaim(): Promise<void>
  /** Work whose attempts are used up: taken, kept and removed like any other, but never to be run. */
  takeAbandoned(): Promise<Work | null>
  /** Calls back when there may be work in a lane. */
  onWake(callback: (lane: Lane) => void): () => void
  close(): Promise<void>
}
