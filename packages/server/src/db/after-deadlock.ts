// Some transactions have to take the same locks in opposite orders: a worker that takes a job finds it in the queue and
// then holds its row, and whoever ends a job holds its row and then takes it out of the queue. Where two of them meet,
// PostgreSQL undoes one and lets the other through. The one that was undone is run again.

const deadlockDetected = '40P01'
/** Each meeting lets somebody through, so a second one is rare; more than a few have another cause. */
const mostRuns = 5

/** Runs a transaction, and again when PostgreSQL undid it to end a deadlock. */
export async function againAfterDeadlock<T>(transaction: () => Promise<T>): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await transaction()
    } catch (error) {
      if ((error as { code?: unknown }).code !== deadlockDetected || run === mostRuns) throw error
    }
  }
}
