/** One conversion as a client sees it: submitted, uploaded, and waited for until it is done. */
export async function convertJob(base: string, key: string, pair: string, body: Buffer): Promise<void> {
  const authorization = `Bearer ${key}`
  const submitted = await fetch(`${base}/v1/conversions`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ pair, bytes: body.length }),
  })
  const { jobId, uploadUrl } = (await submitted.json()) as { jobId: string; uploadUrl: string }
  const put = await fetch(uploadUrl, { method: 'PUT', body: new Uint8Array(body) })
  if (put.status !== 200) throw new Error(`${pair}: the upload was answered ${put.status}.`)
  for (;;) {
    const answer = await fetch(`${base}/v1/conversions/${jobId}`, {
      headers: { authorization, prefer: 'wait=25' },
    })
    const job = (await answer.json()) as { status: string; error: string | null }
    if (job.status === 'done') return
    if (job.status === 'failed') throw new Error(`${pair} failed: ${job.error}`)
  }
}
