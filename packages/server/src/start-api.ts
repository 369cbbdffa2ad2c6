import type { FastifyInstance } from 'fastify'
import { createAcceptUpload } from './conversions/accept-upload.ts'
import { watchBacklog } from './conversions/backlog.ts'
import { createNoticeUpload } from './conversions/notice-upload.ts'
import { createRead } from './conversions/read.ts'
import { createSubmit } from './conversions/submit.ts'
import { createSettlements } from './conversions/wait-for-end.ts'
import { createApp } from './http/app.ts'
import type { Shared } from './open-shared.ts'

export interface ApiParts extends Shared {
  /** Shown by /healthz. */
  facts: Record<string, unknown>
}

export interface Api {
  app: FastifyInstance
  /** From now on /readyz says no; requests are still answered. */
  announceStop(): void
  close(): Promise<void>
}

/** Wires the HTTP side and listens. */
export async function startApi(parts: ApiParts): Promise<Api> {
  const { config, database, queue, storage, local, pairs } = parts
  let stopping = false
  const settlements = createSettlements(parts.listener)
  const backlog = await watchBacklog(database, config.mostWaitingJobs)
  const app = await createApp({
    ...config,
    pairs,
    database,
    log: parts.log,
    submit: createSubmit({ ...config, database, storage, pairs }),
    files: local && {
      storage: local,
      acceptUpload: createAcceptUpload({ database, queue, receive: local.receive, checkRoom: local.check }),
    },
    read: createRead({
      ...config,
      database,
      storage,
      pairs,
      noticeUpload: createNoticeUpload({ database, queue, storage }),
    }),
    settlements,
    backlog,
    isStopping: () => stopping,
    health: {
      facts: () => parts.facts,
      async faults() {
        if (stopping) return ['The service is stopping.']
        const checks = await Promise.allSettled([database.version(), storage.check()])
        const words = ['The database cannot be reached.', 'The storage cannot be written.']
        return words.filter((_, index) => checks[index]?.status === 'rejected')
      },
    },
  })
  await app.listen({ port: config.port, host: config.host })
  return {
    app,
    announceStop() {
      stopping = true
      settlements.release()
    },
    async close() {
      // Requests under way may finish; after the drain time what is left is cut.
      const cut = setTimeout(() => app.server.closeAllConnections(), config.drainSeconds * 1000)
      await app.close().finally(() => clearTimeout(cut))
      await backlog.stop()
    },
  }
}
