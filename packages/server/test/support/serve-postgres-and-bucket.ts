import { startSwift } from '@kiln/test-support/swift.ts'
import { startTemporaryPostgres } from './temporary-postgres.ts'

// A program that starts a PostgreSQL and a bucket, prints their addresses as one line of JSON, and stops them on
// request. For suites that use the service only from outside.

await using stack = new AsyncDisposableStack()
const [postgres, swift] = await Promise.all([startTemporaryPostgres(), startSwift('kiln-outside')])
stack.defer(postgres.stop)
stack.defer(swift.stop)
const { bucket, endpoint, accessKeyId, secretAccessKey } = swift.settings
const settings = {
  DATABASE_URL: postgres.connectionString,
  KILN_S3_BUCKET: bucket,
  KILN_S3_ENDPOINT: endpoint,
  KILN_S3_ACCESS_KEY_ID: accessKeyId,
  KILN_S3_SECRET_ACCESS_KEY: secretAccessKey,
}
process.stdout.write(`${JSON.stringify(settings)}\n`)
// Its standard input ends with the process that started it, however that one ends.
process.stdin.resume()
await new Promise<void>((resolve) => {
  process.stdin.once('end', resolve)
  process.once('SIGTERM', () => resolve())
})
process.stdin.destroy()
