import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely'
import pg from 'pg'
import { isUnavailable } from '../errors.ts'
import { databaseUnavailable, mapConnectionErrors } from './connection-errors.ts'
import { createDeadlines, type Deadlines, takeClient } from './take-client.ts'

// The connection to PostgreSQL: a pool for queries, Kysely on top of it for all but the most frequent ones, and a
// separate connection for LISTEN.

export type Db = Kysely<unknown>
export type Trx = Transaction<unknown>

export interface Database {
  kysely: Db
  /**
   * One prepared statement, one round trip. For hot paths: the plan is made once per connection, perhaps while the
   * tables are empty, so the statement must find its rows by a key.
   */
  prepared<Row extends object>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
  /** Sends a wake-up. Not part of any transaction: NOTIFY takes a database-wide lock until commit. */
  notify(channel: string, payload: string): Promise<void>
  /** The version of PostgreSQL; fails when it cannot be reached. */
  version(): Promise<string>
  connectionString: string
  close(): Promise<void>
}

// Sizes and counters stay well below 2^53, so numbers are exact.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
// A date stays the string that PostgreSQL sent; a Date would shift with the local time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

// A caller gets 503 within two seconds when the database is unavailable. Work for which no client waits may take longer
// on a busy machine.
const connectMilliseconds = 1200
const answerMilliseconds = 1300
export const patientConnectMilliseconds = 10_000
/**
 * The limit of an attempt to open a connection, which continues when its caller has given up: on a busy machine, ending
 * it would make the next caller start again.
 */
const openMilliseconds = 3000
/**
 * The server ends a statement at its own deadline; if it does not answer within this time after that, the connection is
 * lost.
 */
const graceMilliseconds = 5000

// No session may block others indefinitely: a lost client must not keep a lock.
const usualSession = { statement_timeout: 30_000, idle_in_transaction_session_timeout: 30_000 }

export function connectDatabase(
  connectionString: string,
  connections: number,
  options: { session?: Readonly<Record<string, number>>; connectMilliseconds?: number } = {},
): Database {
  const session = options.session ?? usualSession
  const waitMilliseconds = options.connectMilliseconds ?? connectMilliseconds
  const pool = new pg.Pool({
    connectionString,
    max: connections,
    connectionTimeoutMillis: Math.max(waitMilliseconds, openMilliseconds),
    // On a busy machine a new connection takes longer than a caller can wait.
    idleTimeoutMillis: 600_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'kiln',
    options: Object.entries(session)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  })
  // An idle connection that breaks is dropped by the pool; the next query opens another.
  pool.on('error', () => {})
  // A client that breaks while in use rejects the next query; without a listener the event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  // Callers that wait for a connection listen for one that is released.
  pool.setMaxListeners(0)
  const deadlines = createDeadlines()
  const take = () => takeClient(pool, deadlines, waitMilliseconds)
  const kysely = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: poolFor(pool, take, deadlines, session) }),
  })

  const ask = async <Row extends object>(query: pg.QueryConfig): Promise<Row[]> => {
    const began = performance.now()
    const client = await take()
    let isLate = false
    const answered = deadlines.set(began + answerMilliseconds - performance.now(), () => {
      isLate = true
      client.release(true)
    })
    try {
      const { rows } = await mapConnectionErrors(() => client.query<Row & pg.QueryResultRow>(query))
      if (!isLate) client.release()
      return rows as Row[]
    } catch (error) {
      if (isLate) throw databaseUnavailable(error)
      client.release(isUnavailable(error))
      throw error
    } finally {
      answered()
    }
  }
  return {
    kysely,
    connectionString,
    prepared: (name, text, values) => ask({ name, text, values: [...values] }),
    async notify(channel, payload) {
      await ask({ name: 'notify', text: 'select pg_notify($1, $2)', values: [channel, payload] })
    },
    async version() {
      const [row] = await ask<{ version: string }>({
        name: 'version',
        text: "select current_setting('server_version') as version",
      })
      return row?.version ?? 'unknown'
    },
    // Kysely ends the pool only if it has used it; prepared statements use it too.
    async close() {
      await kysely.destroy()
      if (!pool.ending) await pool.end()
    },
  }
}

/** The same pool, for Kysely: connection errors are mapped to `unavailable`, and every query has a deadline. */
function poolFor(
  pool: pg.Pool,
  take: () => Promise<pg.PoolClient>,
  deadlines: Deadlines,
  { statement_timeout: statementMilliseconds }: Readonly<Record<string, number>>,
): PostgresPool {
  return {
    async connect() {
      const client = await take()
      const query = async (text: never, values?: never) => {
        const answered =
          statementMilliseconds === undefined
            ? undefined
            : // Ends the query with an error; the pool drops a client that has ended.
              deadlines.set(statementMilliseconds + graceMilliseconds, () => void end(client))
        return mapConnectionErrors(() => client.query(text, values)).finally(answered)
      }
      return { query: query as never, release: (isBroken) => client.release(isBroken) }
    },
    end: () => pool.end(),
    options: pool.options,
  }
}

/** The types of a pooled client lack `end`. An error is ignored: the connection is being discarded. */
const end = (client: pg.PoolClient): Promise<void> => (client as unknown as pg.Client).end().catch(() => {})
