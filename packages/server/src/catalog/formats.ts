// Every format name that the service knows, server-side or not.
export const formats = {
  md: { label: 'Markdown', extension: 'md', contentType: 'text/markdown; charset=utf-8' },
  html: { label: 'HTML', extension: 'html', contentType: 'text/html; charset=utf-8' },
  epub: { label: 'EPUB', extension: 'epub', contentType: 'application/epub+zip' },
  latex: { label: 'LaTeX', extension: 'tex', contentType: 'application/x-tex' },
  rst: { label: 'RST', extension: 'rst', contentType: 'text/x-rst; charset=utf-8' },
  docx: {
    label: 'DOCX',
    extension: 'docx',
    contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
} as const satisfies Record<string, Format>

export interface Format {
  label: string
  extension: string
  contentType: string
}

export type FormatName = keyof typeof formats
