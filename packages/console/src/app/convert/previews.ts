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
