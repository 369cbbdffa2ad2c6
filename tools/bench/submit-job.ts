export interface SubmittedJob {
  jobId: string
  uploadUrl: string
}

export async function submitJob(
  base: string,
  key: string,
  bytes: number,
  pair = 'md-to-html',
): Promise<SubmittedJob> {
  const answer = await fetch(`${base}/v1/conversions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ pair, bytes }),
  })
  if (answer.status !== 201) throw new Error(`submit answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as SubmittedJob
}
