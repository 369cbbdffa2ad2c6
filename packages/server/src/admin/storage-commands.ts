import type { Command } from 'commander'
import { refused } from '../errors.ts'
import type { Printer } from './output.ts'

export interface StorageCommandsParts {
  /** Null where files are kept in the data directory. */
  createBucket: (() => Promise<{ created: boolean; corsOrigin: string | null }>) | null
  printer: (json: boolean) => Printer
}

/** The commands for the S3 bucket. */
export function addStorageCommands(program: Command, { createBucket, printer }: StorageCommandsParts): void {
  program
    .command('storage')
    .description('the S3 bucket')
    .command('create-bucket')
    .description(
      'create the bucket of KILN_S3_BUCKET if it is missing, and allow uploads from the web app (CORS)',
    )
    .option('--json', 'print JSON')
    .action(async (options) => {
      if (!createBucket)
        throw refused('bad-request', 'KILN_S3_BUCKET is not set: files are kept in the data directory.')
      const done = await createBucket()
      const cors = done.corsOrigin
        ? `Pages of ${done.corsOrigin} may upload to it.`
        : 'The store has no CORS settings for buckets: allow PUT from the public address in the settings of the store.'
      printer(options.json).one(
        done,
        `${done.created ? 'The bucket is created.' : 'The bucket exists.'} ${cors}`,
      )
    })
}
