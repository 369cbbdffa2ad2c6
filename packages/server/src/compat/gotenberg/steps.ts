import type { FormFile } from '../form.ts'
import type { Entry } from '../outputs.ts'
import { type Fields, InvalidForm } from './fields.ts'

// Steps that are applied to PDFs after a conversion or separately: the fields that all routes share. The list of steps
// is sent with the files in one job (converter/edit-pdf/process_files.py).

export interface Steps {
  [name: string]: unknown
  merge?: { name: string; indexBookmarks: boolean; titleBookmarks: boolean }
  split?: { mode: 'intervals'; span: number } | { mode: 'pages'; ranges: string; unify: boolean }
  watermarks?: Mark[]
  stamps?: Mark[]
  encrypt?: { user: string; owner: string; denied: string[] }
}

interface Mark {
  [name: string]: unknown
  source: 'text' | 'image' | 'pdf'
}

export interface ReadSteps {
  steps: Steps
  /** Files that the steps use, under the names that the steps refer to. */
  entries: Entry[]
  /** Called once the form has no other error; returns further steps, or throws. */
  finish?: (steps: Steps) => Steps
}

/** `z` and `end` are the last page. */
const ranges = /^(\d{1,5}|z|end)(-(\d{0,5}|z|end))?(,(\d{1,5}|z|end)(-(\d{0,5}|z|end))?)*$/

const unsupportedSplit =
  "The requested split mode is not supported, or no PDF engine could process it. Valid modes: 'intervals', 'pages'."

export function readSplit(fields: Fields, isRequired = false): Steps['split'] {
  if (isRequired) {
    fields.required('splitMode')
    fields.required('splitSpan')
  }
  const mode = fields.choice(
    'splitMode',
    ['intervals', 'pages'],
    "wrong value, expected either 'intervals' or 'pages'",
  )
  const unify = fields.flag('splitUnify', false)
  if (mode === 'pages') return { mode, ranges: fields.text('splitSpan').replaceAll('end', 'z'), unify }
  if (mode !== 'intervals') return undefined
  const span = fields.integer('splitSpan', 1, (value) => value >= 1, 'value is inferior to 1')
  return { mode, span }
}

/** How PDFs are merged. */
export const readMerge = (fields: Fields, name: string): NonNullable<Steps['merge']> => ({
  name: `${name}.pdf`,
  indexBookmarks: fields.flag('autoIndexBookmarks', false),
  titleBookmarks: fields.flag('titleBookmarks', false),
})

/** Fields that the conversion, merge and split routes share. */
export function readSteps(fields: Fields): ReadSteps {
  const entries: Entry[] = []
  const metadata = fields.json('metadata')
  const bookmarks = fields.json('bookmarks')
  const flatten = fields.flag('flatten', false)
  const rotate = readRotation(fields)
  const watermarks = readMarks(fields, 'watermark', entries)
  const stamps = readMarks(fields, 'stamp', entries)
  const encrypt = readPasswords(fields)
  const embeds = readEmbeds(fields, entries)
  const steps: Steps = {
    ...(metadata === undefined ? {} : { metadata }),
    ...(bookmarks === undefined ? {} : { bookmarks }),
    ...(flatten ? { flatten } : {}),
    ...(rotate ? { rotate } : {}),
    ...(watermarks.length > 0 ? { watermarks } : {}),
    ...(stamps.length > 0 ? { stamps } : {}),
    ...(embeds.length > 0 ? { embeds } : {}),
    ...(encrypt ? { encrypt } : {}),
  }
  return { steps, entries }
}

/** Constraints between fields; called when no field has an error of its own. */
export function checkSteps({ split, metadata }: Steps): void {
  if (split?.mode === 'pages' && !ranges.test(split.ranges)) throw new InvalidForm(unsupportedSplit)
  for (const [name, value] of Object.entries((metadata as object | undefined) ?? {}))
    if (/\p{Cc}/u.test(name) || [value].flat().some((each) => /\p{Cc}/u.test(String(each))))
      throw new InvalidForm(
        `The requested metadata could not be written: the value of '${name.replaceAll(/\p{Cc}/gu, '?')}' holds control characters.`,
      )
}

export function readRotation(fields: Fields, isRequired = false) {
  if (isRequired) fields.required('rotateAngle')
  const angle = fields.integer(
    'rotateAngle',
    0,
    (value) => [90, 180, 270].includes(value),
    'value is not 90, 180 or 270',
  )
  const pages = fields.text('rotatePages')
  if (pages !== '' && !ranges.test(pages))
    fields.fault(`form field 'rotatePages' is invalid (got '${pages}', resulting to wrong page ranges)`)
  return angle === 0 ? undefined : { angle, pages: pages.replaceAll(/-(?=,|$)/g, '-z') }
}

const sources = ['text', 'image', 'pdf'] as const

/** Watermarks are drawn below the page content, stamps above it. Each repetition of a field adds one, in order. */
export function readMarks(
  fields: Fields,
  kind: 'watermark' | 'stamp',
  entries: Entry[],
  isRequired = false,
): Mark[] {
  if (isRequired) fields.required(`${kind}Source`)
  const given = fields.all(`${kind}Source`).filter((source) => source !== '')
  const expressions = [...fields.all(`${kind}Expression`)]
  const pages = fields.all(`${kind}Pages`)
  const options = fields.all(`${kind}Options`)
  const uploads = fields.files.filter(({ field }) => field === kind)
  return given.flatMap((source, index): Mark[] => {
    const known = sources.find((each) => each === source)
    if (!known) {
      const must = "wrong value, expected either 'text', 'image' or 'pdf'"
      fields.fault(`form field '${kind}Source' is invalid (got '${source}', resulting to ${must})`)
      return []
    }
    const look = { ...readLook(fields, `${kind}Options`, options[index]), ...pagesOf(pages[index]) }
    if (known === 'text') return [{ source: known, text: expressions.shift() ?? '', ...look }]
    const upload = uploads.shift()
    if (!upload) fields.fault(`a ${kind} file is required for image or pdf source`)
    return upload ? [{ source: known, path: addEntry(entries, upload), ...look }] : []
  })
}

const pagesOf = (pages: string | undefined) => (pages && ranges.test(pages) ? { pages } : {})

/** The settings of a mark that Kiln supports; sizes and positions are those of pdfcpu. */
function readLook(fields: Fields, name: string, text: string | undefined) {
  if (!text) return {}
  let given: Record<string, unknown>
  try {
    given = JSON.parse(text) as Record<string, unknown>
  } catch {
    // The message must be Gotenberg's, not Node's.
    fields.fault(`form field '${name}' is invalid (got '${text}', resulting to no JSON object)`)
    return {}
  }
  const number = (...names: string[]) => {
    const found = names
      .map((each) => Number.parseFloat(String(given[each])))
      .find((each) => !Number.isNaN(each))
    return found
  }
  const [rotation, scale, opacity] = [
    number('rotation', 'rot'),
    number('scale', 'scalefactor'),
    number('opacity'),
  ]
  return {
    ...(rotation === undefined ? {} : { rotation }),
    ...(scale === undefined ? {} : { scale: Math.min(1, Math.max(0.01, scale)) }),
    ...(opacity === undefined ? {} : { opacity: Math.min(1, Math.max(0, opacity)) }),
    ...(typeof given.fillcolor === 'string' ? { color: given.fillcolor } : {}),
    ...(typeof given.position === 'string' ? { position: given.position } : {}),
  }
}

function addEntry(entries: Entry[], { path }: FormFile): string {
  const name = `extra-${entries.length}`
  entries.push({ name, path })
  return name
}

/** Form field → the qpdf argument that is added when it is false. */
const permissions: Readonly<Record<string, string>> = {
  allowPrinting: '--print=none',
  allowCopying: '--extract=n',
  allowModifying: '--modify=none',
  allowAnnotating: '--annotate=n',
  allowFillingForms: '--form=n',
  allowAssembling: '--assemble=n',
  allowAccessibility: '--accessibility=n',
}

export function readPasswords(fields: Fields): Steps['encrypt'] {
  const [user, owner] = [fields.text('userPassword'), fields.text('ownerPassword')]
  const denied = Object.entries(permissions).flatMap(([name, argument]) =>
    fields.flag(name, true) ? [] : [argument],
  )
  if (/\p{Cc}/u.test(user + owner)) fields.fault('a password must not hold control characters')
  if (user === '' && owner === '') {
    if (denied.length > 0) fields.fault("a 'userPassword' or 'ownerPassword' is required")
    return undefined
  }
  return { user, owner, denied }
}

const relationships = ['Source', 'Data', 'Alternative', 'Supplement', 'Unspecified']

export function readEmbeds(fields: Fields, entries: Entry[]) {
  const about = fields.json('embedsMetadata') as
    | Record<string, { mimeType?: unknown; relationship?: unknown }>
    | undefined
  return fields.files
    .filter(({ field }) => field === 'embeds')
    .map((file) => {
      const { mimeType, relationship } = about?.[file.name] ?? {}
      return {
        path: addEntry(entries, file),
        name: file.name,
        ...(typeof mimeType === 'string' && /^[\w.+-]{1,80}\/[\w.+-]{1,80}$/.test(mimeType)
          ? { mimeType }
          : {}),
        ...(relationships.includes(String(relationship)) ? { relationship } : {}),
      }
    })
}

// The PDF/A and PDF/UA fields of a form.

export interface ArchiveFormat {
  pdfa?: '1b' | '2b' | '3b'
  pdfua?: true
}

const parts = { 'PDF/A-1b': '1b', 'PDF/A-2b': '2b', 'PDF/A-3b': '3b' } as const

/** `wrong` is the text of a format that is not supported; it is reported when the form has no other error. */
export function readArchiveFormat(fields: Fields): { format: ArchiveFormat; wrong: string | undefined } {
  const text = fields.text('pdfa')
  const pdfua = fields.flag('pdfua', false)
  const pdfa = Object.hasOwn(parts, text) ? parts[text as keyof typeof parts] : undefined
  return {
    format: { ...(pdfa ? { pdfa } : {}), ...(pdfua ? { pdfua } : {}) },
    wrong: text !== '' && !pdfa ? text : undefined,
  }
}

const unsupportedFormat =
  'The requested PDF format is not supported, or no PDF engine could apply it. Valid formats include PDF/A-1b, PDF/A-2b, PDF/A-3b, and PDF/UA.'

/** The steps that produce the archive format; called when no field has an error. */
export function archiveSteps(
  { format, wrong }: ReturnType<typeof readArchiveFormat>,
  steps: Steps,
): { archive?: ArchiveFormat } {
  if (wrong !== undefined) throw new InvalidForm(unsupportedFormat)
  if (!format.pdfa && !format.pdfua) return {}
  if (format.pdfa && steps.encrypt)
    throw new InvalidForm("PDF/A does not allow encryption. Remove the passwords, or the form field 'pdfa'.")
  if (format.pdfa && format.pdfa !== '3b' && steps.embeds)
    throw new InvalidForm('Only PDF/A-3b may hold attached files. Ask for it, or remove the embeds.')
  return { archive: format }
}
