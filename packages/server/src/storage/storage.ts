import type { KeyObject } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { LinkVerdict, Verb } from './signed-link.ts'

// Where inputs and outputs are stored. Objects are named by job (object-names.ts); names never contain user input.
// Clients access objects only through signed links. Downloads go through the service, so that responses are the same
// for every store; uploads may go directly to the store. Implementations are next to this file and pass one contract
// suite (storage.contract.ts).

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
  /** Length, range, tag and time; the caller sets type, name and other headers. */
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
  /** Does the service receive uploads itself? If not, it has to check for them. */
  readonly tellsOfUploads: boolean
  /** A secret key that all processes of this service share, one per purpose. */
  keyFor(purpose: string): KeyObject
  uploadUrl(grant: UploadGrant): Promise<string>
  downloadUrl(grant: DownloadGrant): Promise<string>
  /** Is this a valid link of ours? `query` is the part after its first question mark. */
  verify(verb: Verb, object: string, query: string): LinkVerdict
  /**
   * The response to a GET or HEAD of an output, according to the ranges and conditions of the request. Throws when the
   * request cannot be answered with a part of the output.
   */
  download(object: string, request: DownloadRequest): Promise<Download>
  /**
   * Size of the object in bytes, or null when there is none. `isPatient` when no client waits: a slow store may take
   * longer.
   */
  size(object: string, how?: { isPatient: boolean }): Promise<number | null>
  /** Copies an object to a new file at the given path, readable by the engine's user. */
  fetch(object: string, path: string): Promise<void>
  /** Stores a finished file. The object appears completely or not at all. The file may be moved away. */
  store(path: string, object: string): Promise<void>
  /** Removing a missing object is not an error. */
  remove(object: string): Promise<void>
  /** All objects, or only inputs or outputs. */
  list(kind?: 'in' | 'out'): AsyncIterable<StoredObject>
  /** Throws when objects cannot be written now (readiness). */
  check(): Promise<void>
}
