// Sizes of the long form (`npm run chaos`) and of the short one, which the workflow runs.

export interface Form {
  /** Duration of the faults. */
  seconds: number
  kills: number
  databaseStopSeconds: number
  databaseSilenceSeconds: number
  storageRefusesSeconds: number
  storageSilenceSeconds: number
  diskFullSeconds: number
  clients: number
  /** Uploads that do not come within this time fail their job. */
  uploadTtlSeconds: number
  /** How soon a killed worker's job runs elsewhere. The short form runs beside other work, and allows for that. */
  takeoverSeconds: number
  /** A job that is still unfinished this long after the last fault is stuck. */
  patienceSeconds: number
}

export const forms: Readonly<Record<'short' | 'long', Form>> = {
  short: {
    seconds: 30,
    kills: 10,
    databaseStopSeconds: 4,
    databaseSilenceSeconds: 0,
    storageRefusesSeconds: 4,
    storageSilenceSeconds: 0,
    diskFullSeconds: 4,
    clients: 6,
    uploadTtlSeconds: 3600,
    takeoverSeconds: 20,
    patienceSeconds: 60,
  },
  long: {
    seconds: 540,
    kills: 210,
    databaseStopSeconds: 30,
    databaseSilenceSeconds: 10,
    storageRefusesSeconds: 20,
    storageSilenceSeconds: 20,
    diskFullSeconds: 20,
    clients: 8,
    uploadTtlSeconds: 90,
    takeoverSeconds: 20,
    patienceSeconds: 180,
  },
}
