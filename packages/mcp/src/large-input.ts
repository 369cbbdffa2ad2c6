import { type CallBody, openBody } from './call-body.ts'
import { readPage, type TextPage, type WantedPage } from './text-pages.ts'

// Work whose size a caller or a file controls. A service that serves many passes functions that run in its worker pool,
// with a budget; null then means that the input exceeded it.

export interface LargeInput {
  openBody(body: Uint8Array, signal: AbortSignal): Promise<CallBody | null>
  readPage(utf8: Uint8Array, wanted: WantedPage, signal: AbortSignal): Promise<TextPage | null>
}

/** For a process that serves a single user. */
export const inThisThread: LargeInput = {
  openBody: async (body) => openBody(body),
  readPage: async (utf8, wanted) => readPage(utf8, wanted),
}
