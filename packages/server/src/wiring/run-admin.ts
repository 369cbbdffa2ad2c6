import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { faultOfStyle } from '@kiln/converter/house-style'
import { CommanderError } from 'commander'
import { createAccounts } from '../accounts/accounts.ts'
import { createAdminProgram } from '../admin/commands.ts'
import { examine } from '../admin/doctor.ts'
import { readConfig } from '../config/config.ts'
import type { Database } from '../db/connect.ts'
import { createHouseStyles } from '../house-styles/house-styles.ts'
import { createLog } from '../log/log.ts'
import { createWebhooks, webhookKeyPurpose } from '../webhooks/webhooks.ts'
import { openDatabase, openStorage } from './open-parts.ts'

export async function run(): Promise<void> {
  const config = readConfig()
  const { s3 } = config
  const withDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const opened = await openDatabase({ ...config, databaseConnections: 2 })
    try {
      return await work(opened.database)
    } finally {
      await opened.close()
    }
  }
  const program = createAdminProgram({
    withDatabase,
    withAccounts: (work) => withDatabase((database) => work(createAccounts(database))),
    publicUrl: config.publicUrl,
    createBucket:
      s3 && (async () => (await import('../storage/s3/create-bucket.ts')).createBucket(s3, config.publicUrl)),
    withWebhooks: (work) =>
      withDatabase(async (database) => {
        const { storage, close } = await openStorage(config)
        const key = storage.keyFor(webhookKeyPurpose)
        return work(createWebhooks({ database, key, allowPrivate: config.webhooksToPrivate })).finally(close)
      }),
    withStyles: (work) => withDatabase((database) => work(createHouseStyles(database, faultOfStyle))),
    doctor: async () => {
      // Loaded only here: the other commands need no engine.
      const { openConverterFor } = await import('./open-parts.ts')
      return examine({
        config,
        withDatabase,
        openConverter: () => openConverterFor(config, createLog('silent', false)),
      })
    },
    readInput: () => buffer(process.stdin),
    async readLine() {
      for await (const line of createInterface({ input: process.stdin })) return line
      return ''
    },
    write: (text) => process.stdout.write(text),
  })
  await program.parseAsync().catch((error: unknown) => {
    if (error instanceof CommanderError) process.exit(error.exitCode)
    throw error
  })
}
