// The options of docling-serve that affect the output. Options that choose between docling's own engines (backends,
// models, modes) have no effect in Kiln; options for features that Kiln lacks are refused.

/** Answered with 422. */
export class InvalidOptions extends Error {
  override readonly name = 'InvalidOptions'
}

const known = ['md', 'html', 'text', 'json'] as const
export type DoclingFormat = (typeof known)[number]

export interface DoclingOptions {
  formats: DoclingFormat[]
  placeholder: string
  /** Options of Kiln's pairs. */
  conversion: Readonly<Record<string, unknown>>
}

const refusedFlags = [
  'do_picture_description',
  'do_picture_classification',
  'do_code_enrichment',
  'do_formula_enrichment',
  'do_chart_extraction',
]

const pictures: Readonly<Record<string, string>> = { placeholder: 'marked', embedded: 'embedded' }

export function readDoclingOptions(fields: ReadonlyMap<string, readonly string[]>): DoclingOptions {
  const one = (name: string) => fields.get(name)?.[0]
  const isSet = (name: string) => /^(true|1|yes|on)$/i.test(one(name) ?? '')
  const asked = (fields.get('to_formats') ?? ['md']).flatMap((each) => each.split(','))
  const formats = asked.map((each) => {
    const found = known.find((format) => format === each.trim())
    if (!found)
      throw new InvalidOptions(
        `Kiln does not write the format '${each}'. to_formats takes md, html, text and json.`,
      )
    return found
  })
  const refused = refusedFlags.find(isSet)
  if (refused) throw new InvalidOptions(`Kiln has no model for '${refused}'. Remove it.`)
  const images = one('image_export_mode') ?? 'placeholder'
  const way = pictures[images]
  if (way === undefined)
    throw new InvalidOptions(
      `Kiln does not export images as '${images}'. image_export_mode takes placeholder and embedded.`,
    )
  const placeholder = one('md_page_break_placeholder') ?? ''
  const pages = pagesOf(fields.get('page_range') ?? [])
  const languages = (fields.get('ocr_lang') ?? [])
    .flatMap((each) => each.split(','))
    .filter((each) => /^[a-z]{3}$/.test(each))
  return {
    formats,
    placeholder,
    conversion: {
      pictures: way,
      ...(placeholder === '' ? {} : { pageMarks: true }),
      ...(isSet('force_ocr')
        ? { ocr: 'always' }
        : /^(false|0|no|off)$/i.test(one('do_ocr') ?? '')
          ? { ocr: 'never' }
          : {}),
      ...(languages.length > 0 ? { languages: languages.slice(0, 4) } : {}),
      ...(pages === undefined ? {} : { pages }),
    },
  }
}

/** Clients send the range as two values, or as a JSON array. A very large last page means all pages. */
function pagesOf(values: readonly string[]): string | undefined {
  const given = values.flatMap((each) => each.replace(/^\[(.*)\]$/, '$1').split(','))
  if (given.length === 0) return undefined
  const [first = 0, last = 0] = given.map(Number)
  if (given.length !== 2 || !Number.isInteger(first) || !Number.isInteger(last) || first < 1 || last < first)
    throw new InvalidOptions('page_range takes the first and the last page, such as [2, 4].')
  if (last < maxPages) return `${first}-${last}`
  return first === 1 ? undefined : `${first}-`
}

const maxPages = 100_000
