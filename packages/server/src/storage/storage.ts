// Where inputs and outputs lie. Objects are named by job (object-names.ts); nothing that a user
// gave is ever part of a name. Clients reach objects only through presigned links.
// Implementations live beside this file and pass one contract suite (storage.contract.ts).

export interface UploadGrant {
  object: string
  bytes: number
  expiresAt: Date
}

export interface DownloadGrant {
  object: string
  fileName: string
  contentType: string
  expiresAt: Date
}

export interface StoredObject {
  object: string
  modifiedAt: Date
}

export interface Storage {
  /** Does an upload reach us by itself? If not, we have to look for it. */
  readonly tellsOfUploads: boolean
  uploadUrl(grant: UploadGrant): Promise<string>
  downloadUrl(grant: DownloadGrant): Promise<string>
  /** Bytes of the object, or null when there is none. */
  size(object: string): Promise<number | null>
  /** Brings an object to a new file at the given path, readable by the engine's user. */
  fetch(object: string, path: string): Promise<void>
  /** Takes a finished file in. The object appears whole or not at all. The file may be gone after. */
  store(path: string, object: string): Promise<void>
  /** Deleting what is not there is no error. */
  remove(object: string): Promise<void>
  /** All objects, or only inputs or outputs. */
  list(kind?: 'in' | 'out'): AsyncIterable<StoredObject>
  /** Throws when objects cannot be written now (readiness). */
  check(): Promise<void>
}
