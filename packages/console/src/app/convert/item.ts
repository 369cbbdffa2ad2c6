import type { OptionValues } from '../../shared/parts/options-form.tsx'
import type { Target } from './catalog.ts'

// A file on the front page, from the choice of its target to the download.
//
//   ready ──convert──▶ submitting ─▶ uploading ─▶ queued ─▶ processing ─▶ done | failed
//                          ▲             │
//                          └── waiting ◀─┘   no connection, or the service asked to come back later
//
// `lost-file` is a job whose upload was not finished when the page was closed. The browser no longer has the file;
// when the same file is chosen again, the same job continues.

export type ItemState =
  | 'ready'
  | 'submitting'
  | 'uploading'
  | 'waiting'
  | 'queued'
  | 'processing'
  | 'done'
  | 'failed'
  | 'lost-file'

export interface Item {
  /** Idempotency key: the same key never becomes a second job. */
  readonly key: string
  /** With its folder, such as `reports/march.docx`. */
  readonly name: string
  readonly size: number
  file: File | null
  /** The PDFs that become this one, in order. */
  parts: File[]
  from: string | null
  targets: Target[]
  target: Target | null
  options: OptionValues
  state: ItemState
  /** Progress of the upload or the conversion, 0 to 1; null when it is not known. */
  progress: number | null
  /** Jobs that run before this one. */
  ahead: number | null
  aheadIsCapped: boolean
  jobId: string | null
  downloadUrl: string | null
  /** Extension of the result; until it is known, that of the target. */
  extension: string | null
  /** Result of a conversion in the browser. */
  blob: Blob | null
  expiresAt: string | null
  error: string | null
  /** Why it waits. */
  note: string | null
  /** The report of the conversion in one sentence. */
  summary: string | null
  warnings: string[]
}

export const isActive = ({ state }: Item): boolean =>
  ['submitting', 'uploading', 'waiting', 'queued', 'processing'].includes(state)

/** A PDF that can be merged with others. */
export const isMergeable = ({ from, file, state }: Item): boolean =>
  from === 'pdf' && file !== null && state === 'ready'

/** `reports/march.docx` as `reports/march`, and `march.tar.gz` as `march`. */
export const baseName = (name: string): string => name.replace(/(?<=[^/])(\.tar)?\.[^./]*$/, '')

/** Several files, such as one for each page, come as a zip, from the server or made in the browser. */
export const isZipped = ({ blob, target, extension }: Pick<Item, 'blob' | 'target' | 'extension'>): boolean =>
  (extension === 'zip' || blob?.type === 'application/zip') && target?.to !== 'zip'

export const outputName = (item: Pick<Item, 'name' | 'target' | 'blob' | 'extension'>): string =>
  `${baseName(item.name)}.${isZipped(item) ? 'zip' : (item.target?.extension ?? 'bin')}`

// Which results can be shown before they are downloaded, and how.

const formatsByKind = {
  pdf: 'pdf pdfa',
  markdown: 'md',
  video: 'mp4 webm',
  audio: 'aac flac m4a mp3 ogg opus wav',
  image: 'avif bmp gif ico jpg png webp',
  text: 'csv json latex rst txt',
}

export type PreviewKind = keyof typeof formatsByKind

const kinds = new Map(
  Object.entries(formatsByKind).flatMap(([kind, formats]) =>
    formats.split(' ').map((format) => [format, kind as PreviewKind]),
  ),
)

/** Undefined when the format cannot be shown. */
export const previewKind = (format: string): PreviewKind | undefined => kinds.get(format)
