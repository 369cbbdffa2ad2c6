import { readFile } from 'node:fs/promises'
import { ConversionFailed } from '../../failure.ts'
import { decodeReferences } from '../../package/xml-references.ts'
import { readArchive } from '../archive/read-archive.ts'
import { readMetadata } from './metadata.ts'
import { countPages } from './qpdf.ts'

// The metadata of a document: title, author, dates, pages, language. With Dublin Core names, as in Tika.

export type Properties = Record<string, string>

export async function readProperties(path: string): Promise<Properties> {
  const start = (await readFile(path)).subarray(0, 1024)
  try {
    if (start.includes('%PDF-')) return await pdfProperties(path)
    if (start.subarray(0, 2).toString('latin1') === 'PK') return packageProperties(await readArchive(path))
    return {}
  } catch (error) {
    // Properties that cannot be read count as missing; the text is extracted separately.
    if (error instanceof ConversionFailed) return {}
    throw error
  }
}

async function pdfProperties(path: string): Promise<Properties> {
  const { Title, Author, Subject, Keywords, CreateDate, ModDate, Creator, Producer, PDFVersion } =
    await readMetadata(path)
  return present({
    'dc:title': Title,
    'dc:creator': Author,
    'dc:subject': Keywords,
    'dc:description': Subject,
    'dcterms:created': isoDate(CreateDate),
    'dcterms:modified': isoDate(ModDate),
    'xmp:CreatorTool': Creator,
    'pdf:docinfo:producer': Producer,
    'pdf:PDFVersion': PDFVersion,
    'xmpTPg:NPages': await countPages(path),
  })
}

/** `2006:09:18 16:27:50-04:00` as `2006-09-18T20:27:50Z`. */
function isoDate(value: unknown): string | undefined {
  const time = Date.parse(String(value ?? '').replace(/^(\d{4}):(\d\d):(\d\d) /, '$1-$2-$3T'))
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().replace('.000Z', 'Z')
}

const coreElements = {
  'dc:title': ['dc:title'],
  'dc:creator': ['dc:creator', 'meta:initial-creator'],
  'dc:subject': ['cp:keywords', 'meta:keyword', 'dc:subject'],
  'dc:description': ['dc:description'],
  'dc:language': ['dc:language'],
  'dcterms:created': ['dcterms:created', 'meta:creation-date'],
  'dcterms:modified': ['dcterms:modified', 'dc:date'],
  'xmpTPg:NPages': ['Pages', 'Slides'],
  'extended-properties:Application': ['Application', 'meta:generator'],
} as const

/** The properties of an office package: Open XML has them in docProps, OpenDocument in meta.xml. */
function packageProperties(files: ReadonlyMap<string, Buffer>): Properties {
  const text = ['docProps/core.xml', 'docProps/app.xml', 'meta.xml']
    .map((name) => files.get(name)?.toString('utf8') ?? '')
    .join('\n')
  const textOf = (element: string) => {
    const source = new RegExp(`<${element}(?:\\s[^<>]{0,300})?>([^<>]{1,2000})</${element}>`).exec(text)?.[1]
    return source === undefined ? undefined : decodeReferences(source)
  }
  const entries = Object.entries(coreElements).map(([name, elements]) => {
    const found = elements.map(textOf).find((value) => value !== undefined)
    return [name, name.startsWith('dcterms:') ? isoDate(found) : found]
  })
  const pages = /meta:page-count="(\d{1,6})"/.exec(text)?.[1]
  return present({ ...Object.fromEntries(entries), ...(pages ? { 'xmpTPg:NPages': pages } : {}) })
}

function present(all: Record<string, unknown>): Properties {
  const found = Object.entries(all).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(
    found.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
  )
}
