import { startPrivatePostgres } from '../../src/db/private-postgres/index.ts'

// A process that uses a private server until it is killed, or until its standard input ends.
// First argument: the data folder. Says one line of JSON when the server is up.

const dataDir = process.argv[2]
if (!dataDir) throw new Error('Usage: use-server.ts DATA_DIR')
const server = await startPrivatePostgres({ dataDir })
console.log(JSON.stringify({ connectionString: server.connectionString, adopted: server.adopted }))
process.stdin.resume().once('end', async () => {
  await server.stop()
  process.exit(0)
})
