import { sql } from 'kysely'
import { at } from '../at.ts'
import type { Db } from './connect.ts'

// Tags for a query whose caller needs only its rows, its first row, whether it changed a row, or nothing.

type Query<Result> = (text: TemplateStringsArray, ...values: readonly unknown[]) => Promise<Result>

export const queryRows =
  <Row>(db: Db): Query<Row[]> =>
  async (text, ...values) =>
    (await sql<Row>(text, ...values).execute(db)).rows

/** The first row, or null. */
export const queryRow =
  <Row>(db: Db): Query<Row | null> =>
  async (text, ...values) =>
    (await sql<Row>(text, ...values).execute(db)).rows[0] ?? null

/** Whether exactly one row was inserted, updated or deleted. */
export const changesOneRow =
  (db: Db): Query<boolean> =>
  async (text, ...values) =>
    (await sql(text, ...values).execute(db)).numAffectedRows === 1n

/** The row of a query that always has one. */
export const queryOne =
  <Row>(db: Db): Query<Row> =>
  async (text, ...values) =>
    at((await sql<Row>(text, ...values).execute(db)).rows, 0)

export const run =
  (db: Db): Query<void> =>
  async (text, ...values) =>
    void (await sql(text, ...values).execute(db))
