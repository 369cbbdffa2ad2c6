import { parentPort } from 'node:worker_threads'

// Sends requests from a separate thread, so that the CPU time of the client does not count as the service's.

export interface SentRequest {
  url: string
  method: string
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer> | null
}

export interface ReceivedResponse {
  status: number
  /** Its start. */
  text: string
}

parentPort?.on('message', async ({ url, ...init }: SentRequest) => {
  const answer = await fetch(url, init).then(
    async (response): Promise<ReceivedResponse> => ({
      status: response.status,
      text: (await response.text()).slice(0, 100_000),
    }),
    // A body that is too long is refused before it is read, and the connection closed.
    (error: Error): ReceivedResponse => ({ status: 0, text: String(error.cause ?? error) }),
  )
  parentPort?.postMessage(answer)
})
