import type { KeyObject } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { LinkVerdict, Verb } from './signed-link.ts'

// Where inputs and outputs lie. Objects are named by job (object-names.ts); nothing that a user
// gave is ever part of a name. Clients reach objects only through signed links. Downloads go through the service, so
// that they answer alike wherever the bytes lie; uploads may go straight to the store.
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

export type DownloadRequest = Pick<IncomingMessage, 'method' | 'headers'>

export interface Download {
  status: number
  /** Length, range, tag and time; type, name and the rest are the caller's. */
  headers: Record<string, string>
  body: Readable | null
}

/** A link of the store itself to one object, for processes of the service without credentials. */
export type Presign = (verb: 'get' | 'put' | 'delete', object: string, seconds: number) => Promise<string>

export interface StoredObject {
  object: string
  modifiedAt: Date
}

export interface Storage {
  /** The origin that browsers upload to; null when it is this service. */
  readonly uploadOrigin: string | null
  /** Does an upload reach us by itself? If not, we have to look for it. */
  readonly tellsOfUploads: boolean
  /** A secret key that all processes of this service share, one per purpose. */
  keyFor(purpose: string): KeyObject
  uploadUrl(grant: UploadGrant): Promise<string>
  downloadUrl(grant: DownloadGrant): Promise<string>
  /** Is this a link of ours? `query` is the text behind its first question mark. */
  verify(verb: Verb, object: string, query: string): LinkVerdict
  /**
   * The answer to a GET or HEAD of an output, by the ranges and conditions of the request. Refuses what cannot be
   * answered with a part of the output.
   */
  download(object: string, request: DownloadRequest): Promise<Download>
  /** Bytes of the object, or null when there is none. `isPatient` where no client waits: a slow store may take longer. */
  size(object: string, how?: { isPatient: boolean }): Promise<number | null>
  /** Brings an object to a new file at the given path, readable by the engine's user. */
  fetch(object: string, path: string): Promise<void>
  /** Takes a finished file in. The object appears whole or not at all. The file may be gone after. */
  store(path: string, object: string): Promise<void>
  /** Deleting a missing object is no error. */
  remove(object: string): Promise<void>
  /** All objects, or only inputs or outputs. */
  list(kind?: 'in' | 'out'): AsyncIterable<StoredObject>
  /** Throws when objects cannot be written now (readiness). */
  check(): Promise<void>
}
