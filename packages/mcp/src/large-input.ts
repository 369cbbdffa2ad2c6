import { type CallBody, openBody } from './call-body.ts'
import { readPage, type TextPage } from './text-pages.ts'

// Work whose size a caller or a file controls. A service that serves many passes functions that run in its worker pool,
// with a budget; null then means that the input exceeded it.

export interface LargeInput {
  openBody(body: Uint8Array): Promise<CallBody | null>
  readPage(utf8: Uint8Array, page: number, mostCharacters: number): Promise<TextPage | null>
}

/** For a process that serves a single user. */
export const inThisThread: LargeInput = {
  openBody: async (body) => openBody(body),
  readPage: async (utf8, page, mostCharacters) => readPage(utf8, page, mostCharacters),
}
