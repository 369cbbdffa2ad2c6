/** The progress of a conversion. */
export interface Progress {
  stage: 'upload' | 'queue' | 'conversion' | 'download'
  jobId: string
  /** 0 to 1 within the stage; null where it is unknown. */
  fraction: number | null
  /** Bytes transferred; null while waiting. */
  loaded: number | null
  /** Bytes to move; null while waiting, and where the length is not known. */
  total: number | null
}

export type OnProgress = (progress: Progress) => void

export const moved = (
  stage: 'upload' | 'download',
  jobId: string,
  loaded: number,
  total: number | null,
): Progress => ({
  stage,
  jobId,
  loaded,
  total,
  fraction: total === null ? null : total === 0 ? 1 : loaded / total,
})

/** Reports the progress of an upload; undefined without a listener. */
export const bytesAsProgress = (
  onProgress: OnProgress | undefined,
  jobId: string,
  { bytes }: { bytes: number },
): ((loaded: number) => void) | undefined =>
  onProgress && ((loaded) => onProgress(moved('upload', jobId, loaded, bytes)))

export const waiting = (stage: 'queue' | 'conversion', jobId: string, fraction: number | null): Progress => ({
  stage,
  jobId,
  fraction,
  loaded: null,
  total: null,
})
