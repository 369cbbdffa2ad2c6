// Some transactions have to take the same locks in opposite orders: a worker that takes a job finds it in the queue and
// then locks its row, and a request that ends a job locks its row and then removes it from the queue. When two of them
// deadlock, PostgreSQL rolls one back and lets the other commit. The one that was rolled back is run again.

const deadlockDetected = '40P01'
/** Each deadlock lets one transaction through, so a second one is rare; more than a few have another cause. */
const maxAttempts = 5

export async function retryOnDeadlock<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      if ((error as { code?: unknown }).code !== deadlockDetected || attempt === maxAttempts) throw error
    }
  }
}
