// Which results can be shown before they are downloaded, and how.

export type PreviewKind = 'pdf' | 'markdown' | 'video' | 'audio' | 'image' | 'text'

const kinds: Readonly<Record<string, PreviewKind>> = {
  pdf: 'pdf',
  pdfa: 'pdf',
  md: 'markdown',
  mp4: 'video',
  aac: 'audio',
  flac: 'audio',
  m4a: 'audio',
  mp3: 'audio',
  ogg: 'audio',
  opus: 'audio',
  wav: 'audio',
  webm: 'video',
  avif: 'image',
  bmp: 'image',
  gif: 'image',
  ico: 'image',
  jpg: 'image',
  png: 'image',
  webp: 'image',
  csv: 'text',
  json: 'text',
  latex: 'text',
  rst: 'text',
  txt: 'text',
}

export const previewKind = (format: string): PreviewKind | null => kinds[format] ?? null

export const canPreview = (format: string): boolean => format in kinds
