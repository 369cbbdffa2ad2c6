import { submitJob } from './submit-job.ts'

/** One conversion from a client's point of view: submit, upload, and wait until it is done. */
export async function convertJob(base: string, key: string, pair: string, body: Buffer): Promise<void> {
  const { jobId, uploadUrl } = await submitJob(base, key, body.length, pair)
  const put = await fetch(uploadUrl, { method: 'PUT', body: new Uint8Array(body) })
  if (put.status !== 200) throw new Error(`${pair}: the upload was answered ${put.status}.`)
  for (;;) {
    const answer = await fetch(`${base}/v1/conversions/${jobId}`, {
      headers: { authorization: `Bearer ${key}`, prefer: 'wait=25' },
    })
    const job = (await answer.json()) as { status: string; error: string | null }
    if (job.status === 'done') return
    if (job.status === 'failed') throw new Error(`${pair} failed: ${job.error}`)
  }
}
