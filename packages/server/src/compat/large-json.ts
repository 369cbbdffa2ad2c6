import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DoclingFormat } from './docling-options.ts'
import { fileNameOf } from './form.ts'

// JSON whose size a caller or a document controls. These functions run in the worker pool (request.ts).

export interface DoclingDocument {
  name: string
  contents: Map<DoclingFormat, string>
  /** Inserted between the pages of Markdown. */
  placeholder: string
}

interface SourceRequest {
  options?: Record<string, unknown>
  sources?: { kind?: string; base64_string?: string; filename?: string; url?: string }[]
  file_sources?: { base64_string?: string; filename?: string }[]
  http_sources?: unknown[]
}

export interface UnpackedSources {
  uploads: { name: string; path: string }[]
  /** Does it name documents that would have to be fetched? */
  asksToFetch: boolean
  options: [string, string[]][]
}

// Each source is a file, and becomes one job per output format.
const maxSources = 100
const longestOptions = 64 * 1024

/** Writes the base64 files of docling-serve's request to the folder. Null when the file is not such a request. */
export async function unpackSources(path: string, folder: string): Promise<UnpackedSources | null> {
  const found = readRequest(await readFile(path, 'utf8'))
  if (found === null) return null
  const { files, ...rest } = found
  const uploads: UnpackedSources['uploads'] = []
  for (const [index, { base64, name }] of files.entries()) {
    const path = join(folder, `source-${index}`)
    await writeFile(path, Buffer.from(base64, 'base64'), { flag: 'wx' })
    uploads.push({ path, name })
  }
  return { uploads, ...rest }
}

function readRequest(json: string) {
  try {
    const body = JSON.parse(json) as SourceRequest
    const sources = [
      ...(body.sources ?? []),
      ...(body.file_sources ?? []).map((each) => ({ ...each, kind: 'file' })),
    ]
    const given = body.options ?? {}
    if (sources.length > maxSources || JSON.stringify(given).length > longestOptions) return null
    const asksToFetch =
      (body.http_sources ?? []).length > 0 ||
      sources.some(({ kind, base64_string }) => kind === 'http' || base64_string === undefined)
    const files = (asksToFetch ? [] : sources).map(({ base64_string, filename = '' }) => ({
      base64: String(base64_string),
      name: fileNameOf(String(filename)),
    }))
    const options = Object.entries(given).map(([name, value]): [string, string[]] => [
      name,
      [value].flat().map(String),
    ])
    return { files, asksToFetch, options }
  } catch {
    // Not JSON, or not of this shape.
    return null
  }
}

export function writeDoclingAnswer(document: DoclingDocument, seconds: number): Uint8Array {
  const { name } = document
  const markdown = contentOf(document, 'json')
  return serialize({
    document: {
      filename: name,
      md_content: contentOf(document, 'md'),
      json_content: markdown === null ? null : jsonDocument(name, markdown),
      html_content: contentOf(document, 'html'),
      text_content: contentOf(document, 'text'),
      doctags_content: null,
    },
    status: 'success',
    errors: [],
    processing_time: seconds,
    timings: {},
  })
}

/** The document in one format, as a file. */
export function writeDoclingFile(document: DoclingDocument, format: DoclingFormat): Uint8Array {
  const content = contentOf(document, format) ?? ''
  return format === 'json' ? serialize(jsonDocument(document.name, content)) : Buffer.from(content)
}

/** Open WebUI's list of pages. */
export function writePages(markdown: string, source: string): Uint8Array {
  const pages = splitPages(markdown)
  return serialize(
    pages.map((page_content, index) => ({
      page_content,
      metadata: { source, page: index + 1, total_pages: pages.length },
    })),
  )
}

/** Tika's properties of a document with its text. */
export function writeTikaAnswer(properties: object, content: string, as: 'object' | 'list'): Uint8Array {
  const document = { ...properties, 'X-TIKA:content': content }
  return serialize(as === 'list' ? [document] : document)
}

const serialize = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

function contentOf({ contents, placeholder }: DoclingDocument, format: DoclingFormat): string | null {
  const content = contents.get(format)
  if (content === undefined) return null
  return format === 'html' || format === 'text' ? content : joinPages(content, placeholder)
}

/** The outline of a DoclingDocument: its texts in order. */
const jsonDocument = (name: string, markdown: string) => ({
  schema_name: 'DoclingDocument',
  version: '1.0.0',
  name,
  texts: markdown
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '')
    .map((block, index) => {
      const label = /^#{1,6} /.test(block) ? 'section_header' : /^[-*] /.test(block) ? 'list_item' : 'text'
      return {
        self_ref: `#/texts/${index}`,
        label,
        orig: block,
        text: block.replace(/^(?:#{1,6}|[-*]) /, ''),
      }
    }),
})

// Markdown of a PDF with the option `pageMarks` marks the start of each page.

const pageMark = /^<!-- page \d+ -->\n*/m

/** The pages in order; a single page when there are no marks. */
export function splitPages(markdown: string): string[] {
  const parts = markdown.split(new RegExp(pageMark, 'gm'))
  // The first mark is at the start of the text.
  const pages = parts.length > 1 && parts[0]?.trim() === '' ? parts.slice(1) : parts
  return pages.map((page) => page.trim())
}

export const joinPages = (markdown: string, placeholder: string): string =>
  splitPages(markdown).join(placeholder === '' ? '\n\n' : `\n\n${placeholder}\n\n`)
