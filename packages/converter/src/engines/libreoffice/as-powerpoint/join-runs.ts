import type { Deck } from './deck.ts'

// PowerPoint cuts text into runs where its spelling checker looked or somebody typed later, also where nothing
// changes in the look. LibreOffice sets each run by itself: twice as many take twice as long, and no letter is
// moved towards one of the next run. So neighbours that look the same become one.

const runs =
  /<a:r>(<a:rPr\b[^<>]*\/>|<a:rPr\b[^<>]*>(?:(?!<a:rPr\b|<\/a:r>)[\s\S])*?<\/a:rPr>)?<a:t>([^<]*)<\/a:t><\/a:r>/g

/** What the spelling checker and the editor note. */
const withoutNotes = (properties: string): string =>
  properties.replace(/^<[^<>]*>/, (start) =>
    start.replaceAll(/ (?:dirty|err|smtClean|noProof|bmk)="[^"]*"/g, ''),
  )

interface Run {
  properties: string
  text: string
  /** Where it begins and ends in the slide. */
  start: number
  end: number
}

/** The slides that change. */
export function joinRuns({ slides }: Deck): Map<string, string> {
  const changed = new Map<string, string>()
  for (const [name, xml] of slides) {
    const joined = joinIn(xml)
    if (joined !== xml) changed.set(name, joined)
  }
  return changed
}

function joinIn(xml: string): string {
  let written = ''
  let at = 0
  let last: Run | undefined
  let isJoined = false
  const finish = () => {
    if (last && isJoined) {
      written += `${xml.slice(at, last.start)}<a:r>${last.properties}<a:t>${last.text}</a:t></a:r>`
      at = last.end
    }
    isJoined = false
  }
  for (const { 0: whole, 1: properties = '', 2: text = '', index: start } of xml.matchAll(runs)) {
    const run = { properties: withoutNotes(properties), text, start, end: start + whole.length }
    // A link has a place of its own on the page.
    const isSame =
      last?.end === start && last.properties === run.properties && !properties.includes('<a:hlink')
    if (last && isSame) {
      last.text += text
      last.end = run.end
      isJoined = true
    } else {
      finish()
      last = run
    }
  }
  finish()
  return written + xml.slice(at)
}
