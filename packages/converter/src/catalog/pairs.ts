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

const pandoc = (from: FormatName, to: FormatName): Pair =>
  pair(from, to, { engine: 'pandoc', lane: 'document', maxBytes: 50 * megabyte, credits: 1 })

const office = (from: FormatName, to: FormatName = 'pdf'): Pair =>
  pair(from, to, { engine: 'libreoffice', lane: 'office', maxBytes: 50 * megabyte, credits: 1 })

const page = (from: FormatName): Pair =>
  pair(from, 'pdf', { engine: 'chromium', lane: 'document', maxBytes: 50 * megabyte, credits: 1 })

/** By Kiln's own engine; pictures are read as scanned pages. */
const pdf = (to: FormatName, from: FormatName = 'pdf'): Pair =>
  pair(from, to, { engine: 'pdf', lane: 'pdf', maxBytes: 50 * megabyte, credits: 1 })

const video = (from: FormatName, to: FormatName): Pair =>
  pair(from, to, { engine: 'ffmpeg', lane: 'video', maxBytes: 500 * megabyte, credits: 4 })

// The table. To add a pair: one row here, a fixture, a requirement. Every row needs an engine; checkCatalogue verifies
// that at start.
const listed: readonly Pair[] = [
  // Office documents to PDF
  office('docx'),
  office('doc'),
  office('odt'),
  office('rtf'),
  office('txt'),
  office('xlsx'),
  office('xls'),
  office('ods'),
  office('csv'),
  office('pptx'),
  office('ppt'),
  office('odp'),
  office('odg'),
  office('wpd'),
  office('pages'),
  office('numbers'),
  office('key'),
  office('vsdx'),
  office('vsd'),
  office('pub'),
  // Office documents to the formats of the other programs
  office('doc', 'docx'),
  office('rtf', 'docx'),
  office('doc', 'odt'),
  office('rtf', 'odt'),
  office('xls', 'xlsx'),
  office('ods', 'xlsx'),
  office('xlsx', 'ods'),
  office('xls', 'ods'),
  office('ppt', 'pptx'),
  office('odp', 'pptx'),
  office('pptx', 'odp'),
  office('ppt', 'odp'),
  // Old text documents to what pandoc writes, by way of docx
  office('doc', 'md'),
  office('doc', 'html'),
  office('doc', 'epub'),
  office('doc', 'txt'),
  office('rtf', 'md'),
  office('rtf', 'html'),
  office('rtf', 'epub'),
  office('rtf', 'txt'),
  // Sheets and slides to text
  office('xlsx', 'csv'),
  office('xls', 'csv'),
  office('ods', 'csv'),
  office('xlsx', 'md'),
  office('xls', 'md'),
  office('ods', 'md'),
  office('csv', 'md'),
  office('pptx', 'md'),
  office('ppt', 'md'),
  office('odp', 'md'),
  office('xlsx', 'html'),
  office('xls', 'html'),
  office('ods', 'html'),
  office('csv', 'html'),
  office('pptx', 'html'),
  office('ppt', 'html'),
  office('odp', 'html'),
  office('pptx', 'txt'),
  office('ppt', 'txt'),
  office('odp', 'txt'),
  // Pages and slides as pictures
  office('docx', 'png'),
  office('odt', 'png'),
  office('xlsx', 'png'),
  office('ods', 'png'),
  office('pptx', 'png'),
  office('odp', 'png'),
  // Pages to PDF
  page('html'),
  page('md'),
  page('epub'),
  page('rst'),
  page('latex'),
  page('eml'),
  page('msg'),
  // PDF to what people can edit
  pdf('docx'),
  pdf('md'),
  pdf('html'),
  pdf('txt'),
  pdf('json'),
  // The tables of a PDF
  pdf('xlsx'),
  pdf('csv'),
  // A PDF for archives
  pdf('pdfa'),
  // The text of pictures, and pictures for archives
  pdf('docx', 'png'),
  pdf('md', 'png'),
  pdf('txt', 'png'),
  pdf('pdfa', 'png'),
  pdf('docx', 'jpg'),
  pdf('md', 'jpg'),
  pdf('txt', 'jpg'),
  pdf('pdfa', 'jpg'),
  pdf('docx', 'tiff'),
  pdf('md', 'tiff'),
  pdf('txt', 'tiff'),
  pdf('pdfa', 'tiff'),
  pdf('docx', 'webp'),
  pdf('md', 'webp'),
  pdf('txt', 'webp'),
  pdf('pdfa', 'webp'),
  // Interchange
  pandoc('md', 'html'),
  pandoc('md', 'epub'),
  pandoc('md', 'latex'),
  pandoc('md', 'rst'),
  pandoc('md', 'docx'),
  pandoc('md', 'odt'),
  pandoc('md', 'txt'),
  pandoc('html', 'md'),
  pandoc('html', 'epub'),
  pandoc('html', 'latex'),
  pandoc('html', 'rst'),
  pandoc('html', 'docx'),
  pandoc('html', 'odt'),
  pandoc('html', 'txt'),
  pandoc('epub', 'md'),
  pandoc('epub', 'html'),
  pandoc('epub', 'latex'),
  pandoc('epub', 'rst'),
  pandoc('epub', 'docx'),
  pandoc('epub', 'odt'),
  pandoc('epub', 'txt'),
  pandoc('latex', 'md'),
  pandoc('latex', 'html'),
  pandoc('latex', 'epub'),
  pandoc('latex', 'rst'),
  pandoc('latex', 'docx'),
  pandoc('latex', 'odt'),
  pandoc('rst', 'md'),
  pandoc('rst', 'html'),
  pandoc('rst', 'epub'),
  pandoc('rst', 'latex'),
  pandoc('rst', 'docx'),
  pandoc('rst', 'odt'),
  pandoc('docx', 'md'),
  pandoc('docx', 'html'),
  pandoc('docx', 'epub'),
  pandoc('docx', 'latex'),
  pandoc('docx', 'rst'),
  pandoc('docx', 'odt'),
  pandoc('docx', 'txt'),
  pandoc('odt', 'md'),
  pandoc('odt', 'html'),
  pandoc('odt', 'epub'),
  pandoc('odt', 'latex'),
  pandoc('odt', 'rst'),
  pandoc('odt', 'docx'),
  pandoc('odt', 'txt'),
  // Mail
  pandoc('eml', 'md'),
  pandoc('eml', 'html'),
  pandoc('msg', 'md'),
  pandoc('msg', 'html'),
  // Video
  video('mov', 'mp4'),
  video('mkv', 'mp4'),
  video('avi', 'mp4'),
  video('webm', 'mp4'),
  video('wmv', 'mp4'),
  video('flv', 'mp4'),
  video('mpeg', 'mp4'),
  video('ts', 'mp4'),
  video('m4v', 'mp4'),
  video('3gp', 'mp4'),
  video('ogv', 'mp4'),
  video('mxf', 'mp4'),
  video('vob', 'mp4'),
  video('rm', 'mp4'),
  video('gif', 'mp4'),
  video('mp4', 'webm'),
  video('mov', 'webm'),
  video('mkv', 'webm'),
  video('avi', 'webm'),
  video('mp4', 'gif'),
  video('mov', 'gif'),
  video('webm', 'gif'),
  video('mkv', 'gif'),
  video('mp4', 'mov'),
  video('mp4', 'mkv'),
]

/** A format that is read as another one has all targets of the other, and the other itself. */
const siblings = (Object.keys(formats) as FormatName[]).flatMap((from): Pair[] => {
  const sibling = readAs(from)
  if (sibling === from) return []
  return [
    office(from, sibling),
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
    throw new Error(`The catalogue of pairs is wrong. Mend catalog/pairs.ts:\n- ${faults.join('\n- ')}`)
  }
}
