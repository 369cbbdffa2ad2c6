import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely'
import pg from 'pg'
import { isUnavailable } from '../errors.ts'
import { databaseUnavailable, mapConnectionErrors } from './connection-errors.ts'
import type { Tables } from './schema.ts'
import { takeClient } from './take-client.ts'

// The connection to PostgreSQL: a pool for queries, Kysely on top of it for everything but the
// hottest ones, and one connection apart that listens.

export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>

export interface Database {
  kysely: Db
  /**
   * One prepared statement, one round trip. For the hot paths: the plan is made once per connection, perhaps while
   * the tables are empty, so it has to be one that finds its rows by a key.
   */
  prepared<Row extends object>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
  /** Sends a wake-up. Not part of any transaction: NOTIFY takes a database-wide lock until commit. */
  notify(channel: string, payload: string): Promise<void>
  /** The version of PostgreSQL; fails when it cannot be reached. */
  version(): Promise<string>
  connectionString: string
  close(): Promise<void>
}

// Sizes and counters stay far below 2^53, so numbers are exact.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
// A date stays the string PostgreSQL sent; as a Date it would move with the local time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

// A caller is answered 503 within two seconds when the database is away. Work for which no client waits
// of a request has more patience with a busy machine.
const connectMilliseconds = 1200
const answerMilliseconds = 1300
export const patientConnectMilliseconds = 10_000
const lookMilliseconds = 100

interface Question {
  deadline: number
  cut(): void
}

// Nothing here may hold a connection for ever: a lost client must not keep a lock.
const usualSession = { statement_timeout: 30_000, idle_in_transaction_session_timeout: 30_000 }

export function connectDatabase(
  connectionString: string,
  connections: number,
  options: { session?: Readonly<Record<string, number>>; connectMilliseconds?: number } = {},
): Database {
  const session = options.session ?? usualSession
  const pool = new pg.Pool({
    connectionString,
    max: connections,
    connectionTimeoutMillis: options.connectMilliseconds ?? connectMilliseconds,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'kiln',
    options: Object.entries(session)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  })
  // An idle connection that breaks is dropped by the pool; the next query opens another.
  pool.on('error', () => {})
  // One that breaks while somebody holds it fails their next query; without a listener it would end us.
  pool.on('connect', (client) => client.on('error', () => {}))
  // Callers that wait for a connection listen for one that is released.
  pool.setMaxListeners(0)
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: tellingWhenAway(pool) }) })

  // A server that takes a question and never answers (a machine that vanished, a network that drops
  // everything) looks like a slow one. After the deadline the connection is cut, and its caller gets an error. One clock
  // looks at all questions: a timer for each would cost the hottest path more than it is worth. It stands while
  // there are none.
  const open = new Set<Question>()
  let isLooking = false
  const lookLater = () => {
    isLooking = open.size > 0
    if (isLooking) setTimeout(look, lookMilliseconds).unref()
  }
  const look = () => {
    const now = performance.now()
    for (const question of open) if (question.deadline <= now) question.cut()
    lookLater()
  }

  const ask = async <Row extends object>(query: pg.QueryConfig): Promise<Row[]> => {
    const deadline = performance.now() + answerMilliseconds
    const client = await mapConnectionErrors(() => takeClient(pool))
    let late = false
    const question: Question = {
      deadline,
      cut() {
        late = true
        open.delete(question)
        client.release(true)
      },
    }
    open.add(question)
    if (!isLooking) lookLater()
    try {
      const { rows } = await mapConnectionErrors(() => client.query<Row & pg.QueryResultRow>(query))
      if (!late) client.release()
      return rows as Row[]
    } catch (error) {
      if (late) throw databaseUnavailable(error)
      client.release(isUnavailable(error))
      throw error
    } finally {
      open.delete(question)
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

/** The same pool, for Kysely: what fails because the database is away says so. */
function tellingWhenAway(pool: pg.Pool): PostgresPool {
  return {
    async connect() {
      const client = await mapConnectionErrors(() => takeClient(pool))
      const query = (text: never, values?: never) => mapConnectionErrors(() => client.query(text, values))
      return { query: query as never, release: () => client.release() }
    },
    end: () => pool.end(),
    options: pool.options,
  }
}
