import { type Kysely, sql } from 'kysely'

// Several submits in one transaction: one commit, and one statement for all of them.
//
// It makes the jobs of ordinary orders only: a living key, within the rate, an idempotency key not seen
// before, covered by allowance and credits, not the account's first of the month. Orders that it leaves
// out are for submit_conversion, which knows every refusal.
// The rows of the accounts' month are locked first, in one order, so that calls that meet on an account
// follow each other; what the second statement reads after that cannot be spent twice. It leaves out accounts
// whose row came only after the locking: to lock those now, out of turn, would be a deadlock. If anything is
// odd after all (credits taken away by hand at that very moment, one idempotency key at the turn of a
// month), a constraint fails the whole call, and the caller sends its orders singly.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function submit_conversions(
      p_key_hash bytea[], p_pair text[], p_lane text[], p_bytes bigint[], p_cost integer[],
      p_idempotency_key text[], p_free_per_month integer, p_upload_seconds integer
    ) returns table (place integer, outcome text, account_id uuid, job_id uuid, upload_expires_at timestamptz)
    language plpgsql as $$
    #variable_conflict use_column
    declare
      v_window date := date_trunc('month', now() at time zone 'utc')::date;
      v_expires timestamptz := now() + make_interval(secs => p_upload_seconds);
      v_locked uuid[];
    begin
      select array_agg(l.account_id) into v_locked from (
        select w.account_id from usage_windows w
        where w.window_start = v_window
          and w.account_id in (select k.account_id from api_keys k where k.hash = any (p_key_hash))
        order by w.account_id
        for update
      ) l;

      return query
      with orders as (
        select o.place::integer as place, o.pair, o.lane, o.bytes, o.cost, o.idempotency_key,
               k.account_id, w.free_used, a.credits,
               row_number() over (partition by k.account_id order by o.place) as nth
        from unnest(p_key_hash, p_pair, p_lane, p_bytes, p_cost, p_idempotency_key)
             with ordinality as o (key_hash, pair, lane, bytes, cost, idempotency_key, place)
        join api_keys k on k.hash = o.key_hash and (k.ends_at is null or k.ends_at > now())
        join usage_windows w on w.account_id = k.account_id and w.window_start = v_window
        join accounts a on a.id = k.account_id
        where k.account_id = any (v_locked)
          and not exists (select from jobs j
                          where j.account_id = k.account_id and j.idempotency_key = o.idempotency_key)
      ), priced as (
        select o.*, o.free_used + o.nth <= p_free_per_month as is_free,
               sum(case when o.free_used + o.nth <= p_free_per_month then 0 else o.cost end)
                 over (partition by o.account_id order by o.place) as spent
        from orders o
      ), chosen as materialized (
        select gen_random_uuid() as id, p.* from priced p where p.spent <= p.credits
      ), made as (
        insert into jobs (id, account_id, pair, lane, bytes, idempotency_key, upload_expires_at)
        select c.id, c.account_id, c.pair, c.lane, c.bytes, c.idempotency_key, v_expires from chosen c
      ), charged as (
        insert into ledger (account_id, job_id, kind, credits, free, window_start, reason)
        select c.account_id, c.id, 'charge', case when c.is_free then 0 else -c.cost end,
               case when c.is_free then -1 else 0 end, v_window, c.pair
        from chosen c
      ), sums as (
        select c.account_id, count(*) as jobs, sum(c.bytes) as bytes,
               count(*) filter (where c.is_free) as free, max(c.spent) as spent
        from chosen c group by c.account_id
      ), counted as (
        update usage_windows w
        set jobs = w.jobs + s.jobs, bytes = w.bytes + s.bytes, free_used = w.free_used + s.free
        from sums s where w.account_id = s.account_id and w.window_start = v_window
      ), paid as (
        update accounts a set credits = a.credits - s.spent
        from sums s where a.id = s.account_id and s.spent > 0
      )
      select c.place, 'created', c.account_id, c.id, v_expires from chosen c;
    end $$`.execute(db)
}
