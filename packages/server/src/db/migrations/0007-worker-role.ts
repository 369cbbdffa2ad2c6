// The writes at the end of a job for which the role of a worker has no permission: accounts, ledger and webhooks
// (db/worker-role.ts). These functions run with the rights of their owner, and do nothing else. A second refund of a
// job has no effect.
export const statements = [
  `create function refund_ended_job(p_job_id uuid, p_reason text) returns void
   language sql security definer set search_path from current
   as $$ select refund_job(p_job_id, p_reason) from jobs
         where id = p_job_id and (status = 'failed' or (status = 'done' and output_object is null)) $$`,
  // Locks the webhook, so that one that is being removed is skipped instead of failing the end of the job.
  `create function write_delivery(p_job_id uuid) returns void
   language sql security definer set search_path from current
   as $$ insert into webhook_deliveries (account_id, job_id)
         select w.account_id, j.id from jobs j join webhooks w on w.account_id = j.account_id
         where j.id = p_job_id and j.status in ('done', 'failed')
         for key share of w $$`,
  'revoke execute on function refund_ended_job, write_delivery from public',
]
