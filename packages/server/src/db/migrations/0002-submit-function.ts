import { type Kysely, sql } from 'kysely'

// One submit is one call of this function: one round trip, one transaction, few statements.
//
// The order of its checks is the order of the interface: key (401), replay (200 or 422), what the
// caller refuses anyway (429, 503), allowance and credits (402). Counting the job into the account's month locks that row, so the
// submits of one account follow each other. Of two with the same idempotency key that both found no
// earlier job, the second fails on the unique index with everything it did undone; the caller asks
// again and gets the replay.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function submit_conversion(
      p_key_hash bytea, p_pair text, p_lane text, p_bytes bigint, p_cost integer,
      p_idempotency_key text, p_refusal text, p_free_per_month integer, p_upload_seconds integer,
      out outcome text, out account_id uuid, out job_id uuid, out upload_expires_at timestamptz
    ) language plpgsql as $$
    #variable_conflict use_column
    declare
      v_account uuid;
      v_ends_at timestamptz;
      v_window date := date_trunc('month', now() at time zone 'utc')::date;
      v_expires timestamptz := now() + make_interval(secs => p_upload_seconds);
      v_is_free boolean;
      v_existing record;
    begin
      select k.account_id, k.ends_at into v_account, v_ends_at from api_keys k where k.hash = p_key_hash;
      if v_account is null then outcome := 'unknown-key'; return; end if;
      if v_ends_at <= now() then outcome := 'ended-key'; return; end if;
      account_id := v_account;

      if p_idempotency_key is not null then
        select j.id, j.pair, j.bytes, j.status, j.uploaded_at into v_existing
        from jobs j where j.account_id = v_account and j.idempotency_key = p_idempotency_key;
        if found then
          if v_existing.pair <> p_pair or v_existing.bytes <> p_bytes then outcome := 'mismatch'; return; end if;
          -- A fresh link deserves a job that waits for it.
          if v_existing.status = 'queued' and v_existing.uploaded_at is null then
            update jobs j set upload_expires_at = v_expires where j.id = v_existing.id and j.status = 'queued';
          end if;
          outcome := 'replay'; job_id := v_existing.id; upload_expires_at := v_expires; return;
        end if;
      end if;
      if p_refusal is not null then outcome := p_refusal; return; end if;

      -- What is returned of a row is its new state, so the row itself notes whether this job was free.
      for v_try in 1..2 loop
        update usage_windows w
        set jobs = w.jobs + 1, bytes = w.bytes + p_bytes, last_was_free = w.free_used < p_free_per_month,
            free_used = w.free_used + (w.free_used < p_free_per_month)::integer
        where w.account_id = v_account and w.window_start = v_window
          and (w.free_used < p_free_per_month
               or (select a.credits from accounts a where a.id = v_account) >= p_cost)
        returning w.last_was_free into v_is_free;
        exit when found;
        -- Either the month has no row yet, or there is nothing left to pay with: the second try tells.
        if v_try = 2 then outcome := 'no-credits'; return; end if;
        insert into usage_windows (account_id, window_start) values (v_account, v_window) on conflict do nothing;
      end loop;
      if not v_is_free then
        update accounts a set credits = a.credits - p_cost where a.id = v_account;
      end if;

      outcome := 'created';
      job_id := gen_random_uuid();
      upload_expires_at := v_expires;
      with job as (
        insert into jobs (id, account_id, pair, lane, bytes, idempotency_key, upload_expires_at)
        values (job_id, v_account, p_pair, p_lane, p_bytes, p_idempotency_key, v_expires)
      )
      insert into ledger (account_id, job_id, kind, credits, free, window_start, reason)
      values (v_account, job_id, 'charge',
              case when v_is_free then 0 else -p_cost end,
              case when v_is_free then -1 else 0 end, v_window, p_pair);
    end $$`.execute(db)

  // Gives back what a failed job cost. Safe to call twice: the ledger takes one refund per job.
  await sql`
    create function refund_job(p_job_id uuid, p_reason text) returns void language plpgsql as $$
    declare
      v_charge record;
    begin
      insert into ledger (account_id, job_id, kind, credits, free, window_start, reason)
      select c.account_id, c.job_id, 'refund', -c.credits, -c.free, c.window_start, p_reason
      from ledger c where c.job_id = p_job_id and c.kind = 'charge'
      on conflict do nothing
      returning account_id, credits, free, window_start into v_charge;
      if not found then return; end if;
      if v_charge.free > 0 then
        update usage_windows set free_used = free_used - v_charge.free
        where account_id = v_charge.account_id and window_start = v_charge.window_start;
      end if;
      if v_charge.credits > 0 then
        update accounts set credits = credits + v_charge.credits where id = v_charge.account_id;
      end if;
    end $$`.execute(db)
}
