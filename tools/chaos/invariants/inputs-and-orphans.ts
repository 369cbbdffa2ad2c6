import { onDatabase } from '@kiln/test-support/on-database.ts'
import { createEndJob } from '../../../packages/server/src/conversions/end-job.ts'
import { createSweeper } from '../../../packages/server/src/conversions/sweep.ts'
import { connectDatabase } from '../../../packages/server/src/db/connect.ts'
import { createLog } from '../../../packages/server/src/log/log.ts'
import { openPgBossQueue } from '../../../packages/server/src/queue/pg-boss.ts'
import { openS3Storage } from '../../../packages/server/src/storage/s3/s3-storage.ts'
import type { Invariant } from '../system-state.ts'

// Inputs are deleted when their jobs have ended. A client that uploads again after that leaves an object without a job;
// the sweep removes it, and outputs that a worker stored but could not record. The service's sweeper keeps young
// objects; here nothing runs any more, so all of them count.

export const inputsAndOrphans: Invariant = {
  name: 'inputs are gone, and no orphan objects after a sweep',
  async check({ databaseUrl, s3, acknowledged, say }) {
    const database = connectDatabase(databaseUrl, 2)
    const storage = openS3Storage(s3, 'http://localhost:1')
    const queue = await openPgBossQueue({ database, onError: () => {} })
    const list = async () => {
      const names: string[] = []
      for await (const { object } of storage.list()) names.push(object)
      return names
    }
    try {
      const twice = new Set(acknowledged.map(({ jobId }) => `in/${jobId}`))
      const before = await list()
      const sweeper = createSweeper({
        database,
        storage,
        endJob: createEndJob({ database, storage, queue, outputTtlSeconds: 3600 }),
        recordTtlSeconds: 86_400,
        youngMilliseconds: 0,
        log: createLog('silent', false),
      })
      const { strayObjects, lostObjects } = await sweeper.sweepStrays()
      say(`the sweep removed ${strayObjects} objects`)
      const after = await list()
      const wanted = await onDatabase(databaseUrl, async (client) => {
        const { rows } = await client.query<{ object: string }>(
          'select output_object as object from jobs where output_object is not null',
        )
        return new Set(rows.map(({ object }) => object))
      })
      // A listing of several machines may lag behind; the object itself is the proof.
      const missing: string[] = []
      for (const object of wanted)
        if (!after.includes(object) && (await storage.size(object, { isPatient: true })) === null)
          missing.push(object)
      return [
        ...before
          .filter((object) => object.startsWith('in/') && !twice.has(object))
          .map((object) => `${object} has no job`),
        ...after.filter((object) => object.startsWith('in/')).map((object) => `${object} is still there`),
        ...after
          .filter((object) => object.startsWith('out/') && !wanted.has(object))
          .map((object) => `${object} is an orphan`),
        ...missing.map((object) => `${object} is missing`),
        ...(lostObjects > 0 ? [`${lostObjects} objects that jobs count on are gone`] : []),
      ]
    } finally {
      await queue.close()
      storage.close()
      await database.close()
    }
  },
}
