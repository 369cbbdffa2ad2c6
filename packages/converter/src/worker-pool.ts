// The worker pool, for other packages that read untrusted data. It loads no engine.
export { ConversionFailed } from './failure.ts'
export type { InThread } from './threads/in-thread.ts'
export { createWorkerPool, type WorkerPool } from './threads/worker-pool.ts'
