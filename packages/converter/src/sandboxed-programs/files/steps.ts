// The steps of a file set. The server writes them (server/src/compat/file-set.ts); paths are names of files in the set.

export interface SetFile {
  path: string
  /** The file name of the result. */
  name: string
}

export interface Mark {
  source: 'text' | 'image' | 'pdf'
  text?: string
  /** The path of the image or the PDF. */
  path?: string
  pages?: string
  rotation?: number
  /** A part of the page's width, from 0 to 1. */
  scale?: number
  opacity?: number
  color?: string
  /** Such as `tl`, `c` or `br`. */
  position?: string
}

export interface Bookmark {
  title: string
  page: number
  children?: Bookmark[]
}

export interface FileSteps {
  files: SetFile[]
  /** Reads, and changes nothing. */
  read?: 'metadata' | 'bookmarks' | 'properties'
  merge?: { name: string; indexBookmarks: boolean; titleBookmarks: boolean }
  split?: { mode: 'intervals'; span: number } | { mode: 'pages'; ranges: string; unify: boolean }
  rotate?: { angle: number; pages: string }
  watermarks?: Mark[]
  stamps?: Mark[]
  flatten?: boolean
  /** For every file, or by the name of the file. */
  bookmarks?: Bookmark[] | Record<string, Bookmark[]>
  metadata?: Record<string, unknown>
  embeds?: { path: string; name: string; mimeType?: string; relationship?: string }[]
  /** Part and level of PDF/A, and whether it is PDF/UA: the last step, which checks the result. */
  archive?: { pdfa?: '1b' | '2b' | '3b'; pdfua?: true }
  encrypt?: { user: string; owner: string; denied: string[] }
}
