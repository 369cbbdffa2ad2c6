// The part of autocannon that the benchmarks use; the package brings no types.
declare module 'autocannon' {
  export interface Request {
    method: 'GET' | 'POST'
    path: string
    headers?: Record<string, string>
    body?: string
  }
  export interface Client {
    setRequests(requests: readonly Request[]): void
  }
  export interface Result {
    duration: number
    errors: number
    timeouts: number
    non2xx: number
    requests: { total: number }
    latency: { p50: number; p99: number }
  }
  // biome-ignore lint/style/noDefaultExport: that is how autocannon exports itself
  export default function autocannon(options: {
    url: string
    connections: number
    duration: number
    setupClient: (client: Client) => void
  }): Promise<Result>
}
