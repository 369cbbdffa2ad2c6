import { type CallBody, openBody } from './call-body.ts'
import { readPage, type TextPage, type WantedPage } from './text-pages.ts'

// Work whose size a caller or a file controls. A service that serves many passes functions that run in its worker pool,
// with a budget; null then means that the input exceeded it. An output is loaded when its turn comes, so that those that
// wait take no memory.

export interface LargeInput {
  openBody(body: Uint8Array, signal: AbortSignal): Promise<CallBody | null>
  readPage(load: () => Promise<Uint8Array>, wanted: WantedPage, signal: AbortSignal): Promise<TextPage | null>
}

/** For a process that serves a single user. */
export const inThisThread: LargeInput = {
  openBody: async (body) => openBody(body),
  readPage: async (load, wanted) => readPage(await load(), wanted),
}
