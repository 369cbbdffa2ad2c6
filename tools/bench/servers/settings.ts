/** The service's settings with limits that no load reaches; all others are defaults. */
export const unlimited = (databaseUrl: string, folder: string, port: number): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  KILN_DATA_DIR: folder,
  KILN_PORT: String(port),
  KILN_PUBLIC_URL: `http://127.0.0.1:${port}`,
  KILN_SUBMIT_RATE_PER_MINUTE: '1000000000',
  KILN_POLL_RATE_PER_MINUTE: '1000000000',
  KILN_MOST_WAITING_JOBS: '100000000',
})

/** Connections of the service to PostgreSQL; the bare server gets the same number. */
export const databaseConnections = 20
