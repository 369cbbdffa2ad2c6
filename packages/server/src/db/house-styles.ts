import type { Db } from './connect.ts'
import { queryRow, run } from './query.ts'

export interface StyleRecord {
  accountId: string
  css: string | null
  /** Null where there is no reference document. */
  referenceBytes: number | null
  changedAt: Date
}

export interface StyleParts {
  css: string | null
  reference: Buffer | null
}

export const findStyle = (db: Db, accountId: string) =>
  queryRow<StyleRecord>(db)`
    select account_id as "accountId", css, octet_length(reference) as "referenceBytes", changed_at as "changedAt"
    from house_styles where account_id = ${accountId}`

/** The requested parts that the account has. */
export const readStyle = (db: Db, accountId: string, wanted: Record<keyof StyleParts, boolean>) =>
  queryRow<StyleParts>(db)`
    select case when ${wanted.css} then css end as css, case when ${wanted.reference} then reference end as reference
    from house_styles where account_id = ${accountId}`

/** Sets the parts that are given and leaves the others alone. */
export async function putStyle(db: Db, accountId: string, { css, reference }: StyleParts): Promise<void> {
  await run(db)`
    insert into house_styles as s (account_id, css, reference) values (${accountId}, ${css}, ${reference})
    on conflict (account_id) do update set css = coalesce(excluded.css, s.css),
      reference = coalesce(excluded.reference, s.reference), changed_at = now()`
}

/** Deletes the row when no part is left. False when the account has no such part. */
export async function removeStyle(
  db: Db,
  accountId: string,
  removed: Record<keyof StyleParts, boolean>,
): Promise<boolean> {
  const changed = await queryRow(db)`
    with before as (select * from house_styles where account_id = ${accountId} for update),
    gone as (
      delete from house_styles s using before b where s.account_id = b.account_id
        and (${removed.css} or b.css is null) and (${removed.reference} or b.reference is null) returning 1),
    kept as (
      update house_styles s set css = case when ${removed.css} then null else b.css end,
        reference = case when ${removed.reference} then null else b.reference end, changed_at = now()
      from before b where s.account_id = b.account_id and not exists (select 1 from gone)
        and (${removed.css} and b.css is not null or ${removed.reference} and b.reference is not null) returning 1)
    select 1 from gone union all select 1 from kept`
  return changed !== null
}
