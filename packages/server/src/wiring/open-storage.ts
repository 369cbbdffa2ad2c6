import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { type LocalStorage, openLocalStorage } from '../storage/local/local-storage.ts'
import type { Presign, Storage } from '../storage/storage.ts'

export interface OpenStorage {
  storage: Storage
  /** The same storage when it is a folder: then the service serves the links itself. */
  local: LocalStorage | null
  /** Signs links of the store; null without a bucket. */
  presign: Presign | null
  close(): void
}

export const filesFolder = (config: Config): string => join(config.dataDir, 'files')

/** The configured S3 bucket, or files in the data folder. */
export async function openStorage(config: Config): Promise<OpenStorage> {
  if (config.s3) {
    // Loaded only when needed: the SDK is large.
    const { openS3Storage } = await import('../storage/s3/s3-storage.ts')
    const storage = openS3Storage(config.s3, config.publicUrl)
    return { storage, local: null, presign: storage.presign, close: storage.close }
  }
  const local = await openLocalStorage(filesFolder(config), config.publicUrl)
  return { storage: local, local, presign: null, close: () => {} }
}
