// The functions that the first migration (migrations/0001-foundation.ts) creates. They were released with it and are
// never changed.

// Submits, one or many: one round trip, one transaction. The price rule is implemented only in its loop.
//
// The order of its checks is the order of the interface: key (401), replay (200 or 422), refusals of the caller (429,
// 503), allowance and credits (402).
// The row of an account's month is locked before any other row of the account is read, and accounts are processed in a
// fixed order, so that concurrent calls for an account are serialized: nothing that is read after that can be spent
// twice, and the second of two calls with the same idempotency key finds the job of the first. At the turn of a month
// two calls may lock different rows; then the unique index rejects the second one, and the caller retries. If credits
// are removed by hand at that moment, the check of the balance fails.
// A job whose row is locked is about to get its upload or its end; a replay does not extend its time, and so never
// waits for a job while it holds the lock of a month.
// Its plans are made once per connection, on a new service while the tables are empty. A plan for empty tables may scan
// a table or an index sequentially, so that each submit would cost more than the one before. Therefore rows are found
// one by one, by their full key, and tables are not joined. Planning each call would cost more than the call.
export const submitConversions = `
  create function submit_conversions(p_orders jsonb, p_free_per_month integer, p_upload_seconds integer)
  returns table (place integer, outcome text, "jobId" uuid, "uploadExpiresAt" timestamptz)
  language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
  as $$
  #variable_conflict use_column
  declare
    v_window date := date_trunc('month', now() at time zone 'utc')::date;
    v_expires timestamptz := now() + make_interval(secs => p_upload_seconds);
    v_order record;
    v_account uuid;
    v_free_left integer;
    v_credits integer;
    v_known_id uuid;
    v_differs boolean;
    v_is_free boolean;
    v_job jobs;
    v_jobs jobs[];
    -- What each of the jobs costs: credits, or one of the free conversions.
    v_credits_spent integer[];
    v_free_spent integer[];
    v_replayed uuid[];
    v_charge record;
  begin
    for v_order in
      select o.*, k.account_id
      from rows from (jsonb_to_recordset(p_orders) as (
             "keyHash" text, pair text, lane text, bytes bigint, cost integer,
             "idempotencyKey" text, refusal text, "traceParent" text, options jsonb, secrets text)) with ordinality
           as o (key_hash, pair, lane, bytes, cost, idempotency_key, refusal, trace_parent, options, secrets, place)
      left join lateral (select account_id from live_keys where hash = decode(o.key_hash, 'hex') limit 1) k on true
      order by k.account_id, o.place
    loop
      if v_order.account_id is distinct from v_account then
        v_account := v_order.account_id;
        v_credits := null;
        loop
          select p_free_per_month - w.free_used into v_free_left
          from usage_windows w where w.account_id = v_account and w.window_start = v_window for update;
          exit when found or v_account is null;
          insert into usage_windows (account_id, window_start) values (v_account, v_window) on conflict do nothing;
        end loop;
      end if;
      v_known_id := null;
      if v_order.idempotency_key is not null then
        select j.id, j.pair <> v_order.pair or j.bytes <> v_order.bytes or j.options is distinct from v_order.options
                 or (j.secrets is not null and j.secrets is distinct from v_order.secrets)
        into v_known_id, v_differs
        from jobs j where j.account_id = v_account and j.idempotency_key = v_order.idempotency_key;
      end if;
      -- Whoever has free conversions left is not asked for credits.
      if v_free_left <= 0 and v_credits is null then
        select a.credits into v_credits from accounts a where a.id = v_account;
      end if;
      place := v_order.place;
      "jobId" := null;
      "uploadExpiresAt" := null;
      if v_account is null then
        outcome := 'unknown-key';
      elsif v_known_id is not null and v_differs then
        outcome := 'mismatch';
      elsif v_known_id is not null then
        outcome := 'replay';
        "jobId" := v_known_id;
        "uploadExpiresAt" := v_expires;
        v_replayed := v_replayed || v_known_id;
      elsif v_order.refusal is not null then
        outcome := v_order.refusal;
      elsif v_free_left <= 0 and v_credits < v_order.cost then
        outcome := 'no-credits';
      else
        outcome := 'created';
        "jobId" := gen_random_uuid();
        "uploadExpiresAt" := v_expires;
        v_is_free := v_free_left > 0;
        if v_is_free then v_free_left := v_free_left - 1; else v_credits := v_credits - v_order.cost; end if;
        v_job.id := "jobId";
        v_job.account_id := v_account;
        v_job.pair := v_order.pair;
        v_job.lane := v_order.lane;
        v_job.bytes := v_order.bytes;
        v_job.idempotency_key := v_order.idempotency_key;
        v_job.trace_parent := v_order.trace_parent;
        v_job.options := v_order.options;
        v_job.secrets := v_order.secrets;
        v_jobs := v_jobs || v_job;
        v_credits_spent := v_credits_spent || case when v_is_free then 0 else v_order.cost end;
        v_free_spent := v_free_spent || v_is_free::integer;
      end if;
      return next;
    end loop;

    if v_replayed is not null then
      -- The job waits for as long as its fresh link works.
      update jobs set upload_expires_at = v_expires where id in (
        select j.id from jobs j where j.id = any (v_replayed) and j.status = 'queued' and j.uploaded_at is null
        for update skip locked);
    end if;
    if v_jobs is null then return; end if;
    insert into jobs (id, account_id, pair, lane, bytes, idempotency_key, trace_parent, options, secrets,
      upload_expires_at)
    select j.id, j.account_id, j.pair, j.lane, j.bytes, j.idempotency_key, j.trace_parent, j.options, j.secrets,
      v_expires
    from unnest(v_jobs) j;
    insert into ledger (account_id, job_id, kind, credits, free, window_start, reason)
    select j.account_id, j.id, 'charge', -v_credits_spent[ordinality], -v_free_spent[ordinality], v_window, j.pair
    from unnest(v_jobs) with ordinality j;
    for v_charge in
      select j.account_id, count(*) as jobs, sum(j.bytes) as bytes, sum(v_free_spent[ordinality]) as free,
             sum(v_credits_spent[ordinality]) as credits
      from unnest(v_jobs) with ordinality j group by j.account_id
    loop
      update usage_windows w
      set jobs = w.jobs + v_charge.jobs, bytes = w.bytes + v_charge.bytes, free_used = w.free_used + v_charge.free
      where w.account_id = v_charge.account_id and w.window_start = v_window;
      if v_charge.credits > 0 then
        update accounts a set credits = a.credits - v_charge.credits where a.id = v_charge.account_id;
      end if;
    end loop;
  end $$`

// Refunds a failed job. Safe to call twice: the ledger accepts one refund per job. A free conversion of a past month
// has no value any more: it is refunded as one of the current month.
export const refundJob = `
  create function refund_job(p_job_id uuid, p_reason text) returns void language plpgsql as $$
  declare
    v_charge record;
  begin
    insert into ledger (account_id, job_id, kind, credits, free, window_start, reason)
    select c.account_id, c.job_id, 'refund', -c.credits, -c.free,
           date_trunc('month', now() at time zone 'utc')::date, p_reason
    from ledger c where c.job_id = p_job_id and c.kind = 'charge'
    on conflict do nothing
    returning account_id, credits, free, window_start into v_charge;
    if not found then return; end if;
    if v_charge.free > 0 then
      insert into usage_windows (account_id, window_start, free_used)
      values (v_charge.account_id, v_charge.window_start, -v_charge.free)
      on conflict (account_id, window_start) do update
      set free_used = usage_windows.free_used + excluded.free_used;
    end if;
    if v_charge.credits > 0 then
      update accounts set credits = credits + v_charge.credits where id = v_charge.account_id;
    end if;
  end $$`
