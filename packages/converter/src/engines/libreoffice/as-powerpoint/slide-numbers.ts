import type { Deck } from './as-powerpoint.ts'

// A deck may count from another number than 1, mostly from 0 so that its title does not count. LibreOffice counts from
// 1 always. So in such a deck the numbers are made text.

/** The slides that change. */
export function numberSlides({ slides, presentation, relations }: Deck): Map<string, string> {
  const first = Number(/<p:presentation\b[^<>]* firstSlideNum="(\d{1,5})"/.exec(presentation)?.[1] ?? 1)
  const changed = new Map<string, string>()
  if (first === 1) return changed
  const targets = new Map(
    Array.from(relations.matchAll(/<Relationship\b[^<>]*>/g), ([relation]) => [
      attribute(relation, 'Id'),
      attribute(relation, 'Target')
        .replace(/^(?:\/ppt\/)?/, 'ppt/')
        .toLowerCase(),
    ]),
  )
  for (const [index, [slide]] of [...presentation.matchAll(/<p:sldId\b[^<>]*>/g)].entries()) {
    const name = targets.get(attribute(slide, 'r:id')) ?? ''
    const xml = slides.get(name)
    const numbered = xml?.replaceAll(numberField, (_, inner: string) => asText(inner, first + index))
    if (numbered !== undefined && numbered !== xml) changed.set(name, numbered)
  }
  return changed
}

const attribute = (element: string, name: string): string =>
  new RegExp(` ${name}="([^"]*)"`).exec(element)?.[1] ?? ''

// A field ends before the next one begins: a search that looked further would take the square of the file's length.
const numberField = /<a:fld\b[^<>]* type="slidenum"[^<>]*>((?:(?!<a:fld\b)[\s\S])*?)<\/a:fld>/g

/** A run has no properties of a paragraph, and a field may. */
const asText = (inner: string, number: number): string => {
  const properties = /<a:rPr\b[^<>]*\/>|<a:rPr\b(?:(?!<a:rPr\b)[\s\S])*?<\/a:rPr>/.exec(inner)?.[0] ?? ''
  return `<a:r>${properties}<a:t>${number}</a:t></a:r>`
}
