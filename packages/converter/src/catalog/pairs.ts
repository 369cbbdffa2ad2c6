import { type FormatName, formats, readAs } from './formats.ts'

export type { FormatName }

// Lanes keep slow work from holding up quick work: each has its own queue and its own slots.
export const lanes = ['office', 'document', 'pdf', 'video'] as const
export type Lane = (typeof lanes)[number]

export interface Pair {
  slug: string
  from: FormatName
  to: FormatName
  label: string
  engine: string
  lane: Lane
  maxBytes: number
  credits: number
}

const megabyte = 1024 * 1024

const pair = (
  from: FormatName,
  to: FormatName,
  { engine, lane, maxBytes, credits }: Pick<Pair, 'engine' | 'lane' | 'maxBytes' | 'credits'>,
): Pair => ({
  slug: `${from}-to-${to}`,
  from,
  to,
  label: `${formats[from].label} to ${formats[to].label}`,
  engine,
  lane,
  maxBytes,
  credits,
})

const usual = { maxBytes: 50 * megabyte, credits: 1 }
const terms = {
  office: { engine: 'libreoffice', lane: 'office', ...usual },
  page: { engine: 'chromium', lane: 'document', ...usual },
  // Kiln's own engine; pictures are read as scanned pages.
  pdf: { engine: 'pdf', lane: 'pdf', ...usual },
  pandoc: { engine: 'pandoc', lane: 'document', ...usual },
  video: { engine: 'ffmpeg', lane: 'video', maxBytes: 500 * megabyte, credits: 4 },
} as const

type Row = readonly [kind: keyof typeof terms, sources: readonly FormatName[], targets: readonly FormatName[]]

// The table: each source of a row to each of its targets. A new pair is a row, or a format in one; it also needs a
// fixture and a requirement. Every pair needs an engine; checkCatalogue verifies that at start.
const rows: readonly Row[] = [
  // Office documents to PDF
  [
    'office',
    ['docx', 'doc', 'odt', 'rtf', 'txt', 'xlsx', 'xls', 'ods', 'csv', 'pptx', 'ppt', 'odp'],
    ['pdf'],
  ],
  ['office', ['odg', 'wpd', 'pages', 'numbers', 'key', 'vsdx', 'vsd', 'pub'], ['pdf']],
  // Office documents to the formats of the other programs
  ['office', ['doc', 'rtf'], ['docx']],
  ['office', ['doc', 'rtf'], ['odt']],
  ['office', ['xls', 'ods'], ['xlsx']],
  ['office', ['xlsx', 'xls'], ['ods']],
  ['office', ['ppt', 'odp'], ['pptx']],
  ['office', ['pptx', 'ppt'], ['odp']],
  // Old text documents to what pandoc writes, by way of docx
  ['office', ['doc', 'rtf'], ['md', 'html', 'epub', 'txt']],
  // Sheets and slides to text
  ['office', ['xlsx', 'xls', 'ods'], ['csv']],
  ['office', ['xlsx', 'xls', 'ods', 'csv', 'pptx', 'ppt', 'odp'], ['md']],
  ['office', ['xlsx', 'xls', 'ods', 'csv', 'pptx', 'ppt', 'odp'], ['html']],
  ['office', ['pptx', 'ppt', 'odp'], ['txt']],
  // Pages and slides as pictures
  ['office', ['docx', 'odt', 'xlsx', 'ods', 'pptx', 'odp'], ['png']],
  // Pages to PDF
  ['page', ['html', 'md', 'epub', 'rst', 'latex', 'eml', 'msg'], ['pdf']],
  // PDF to what people can edit, its tables, and a PDF for archives
  ['pdf', ['pdf'], ['docx', 'md', 'html', 'txt', 'json', 'xlsx', 'csv', 'pdfa']],
  // The text of pictures, and pictures for archives
  ['pdf', ['png', 'jpg', 'tiff', 'webp'], ['docx', 'md', 'txt', 'pdfa']],
  // Interchange
  ['pandoc', ['md'], ['html', 'epub', 'latex', 'rst', 'docx', 'odt', 'txt']],
  ['pandoc', ['html'], ['md', 'epub', 'latex', 'rst', 'docx', 'odt', 'txt']],
  ['pandoc', ['epub'], ['md', 'html', 'latex', 'rst', 'docx', 'odt', 'txt']],
  ['pandoc', ['latex'], ['md', 'html', 'epub', 'rst', 'docx', 'odt']],
  ['pandoc', ['rst'], ['md', 'html', 'epub', 'latex', 'docx', 'odt']],
  ['pandoc', ['docx'], ['md', 'html', 'epub', 'latex', 'rst', 'odt', 'txt']],
  ['pandoc', ['odt'], ['md', 'html', 'epub', 'latex', 'rst', 'docx', 'txt']],
  // Mail
  ['pandoc', ['eml', 'msg'], ['md', 'html']],
  // Video
  ['video', ['mov', 'mkv', 'avi', 'webm', 'wmv', 'flv', 'mpeg', 'ts', 'm4v', '3gp', 'ogv'], ['mp4']],
  ['video', ['mxf', 'vob', 'rm', 'gif'], ['mp4']],
  ['video', ['mp4', 'mov', 'mkv', 'avi'], ['webm']],
  ['video', ['mp4', 'mov', 'webm', 'mkv'], ['gif']],
  ['video', ['mp4'], ['mov', 'mkv']],
]

const listed = rows.flatMap(([kind, sources, targets]) =>
  sources.flatMap((from) => targets.map((to) => pair(from, to, terms[kind]))),
)

/** A format that is read as another one has all targets of the other, and the other itself. */
const siblings = (Object.keys(formats) as FormatName[]).flatMap((from): Pair[] => {
  const sibling = readAs(from)
  if (sibling === from) return []
  return [
    pair(from, sibling, terms.office),
    ...listed.filter((row) => row.from === sibling).map((row) => pair(from, row.to, row)),
  ]
})

export const pairs: readonly Pair[] = [...listed, ...siblings]

/** Not offered to callers of the interface: steps that the compatibility APIs apply to files and to outputs. */
export const internalPairs: readonly Pair[] = [
  pair('file-set', 'file-results', {
    engine: 'qpdf',
    lane: 'document',
    maxBytes: 100 * megabyte,
    credits: 1,
  }),
]

const bySlug: ReadonlyMap<string, Pair> = new Map(
  [...pairs, ...internalPairs].map((each) => [each.slug, each]),
)

export const findPair = (slug: string): Pair | undefined => bySlug.get(slug)

/** Stops the process at boot when a pair has no engine, two rows, or a slug that is not its formats. */
export function checkCatalogue(rows: readonly Pair[], engineNames: readonly string[]): void {
  const faults: string[] = []
  const seen = new Set<string>()
  for (const row of rows) {
    if (seen.has(row.slug)) faults.push(`${row.slug} is listed more than once`)
    seen.add(row.slug)
    const engines = engineNames.filter((name) => name === row.engine).length
    if (engines !== 1)
      faults.push(`${row.slug} needs exactly one engine named ${row.engine}, there are ${engines}`)
    if (row.slug !== `${row.from}-to-${row.to}`) faults.push(`${row.slug} is not ${row.from}-to-${row.to}`)
    if (row.from === row.to) faults.push(`${row.slug} converts a format into itself`)
    if (!formats[row.to].check) faults.push(`${row.slug} has no check of what comes out; see formats.ts`)
    if (!lanes.includes(row.lane)) faults.push(`${row.slug} is in the unknown lane ${row.lane}`)
    if (!Number.isSafeInteger(row.maxBytes) || row.maxBytes <= 0) faults.push(`${row.slug} has no size cap`)
    if (!Number.isSafeInteger(row.credits) || row.credits <= 0) faults.push(`${row.slug} costs no credits`)
  }
  if (faults.length > 0) {
    throw new Error(`The catalogue of pairs is wrong. Correct catalog/pairs.ts:\n- ${faults.join('\n- ')}`)
  }
}
