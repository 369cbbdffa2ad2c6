import { availableParallelism } from 'node:os'

/**
 * The size of the pool of workers, which vitest lets projects share only if all of them name the same. It is larger
 * than the number of cores because many files wait for programs, disks and deadlines.
 */
export const maxWorkers = 3 * availableParallelism()
