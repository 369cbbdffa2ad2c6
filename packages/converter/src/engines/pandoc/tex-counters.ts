// Counters of LaTeX: chapters and sections, and what is numbered within them.

export interface Counters {
  next(kind: string): string
  /** The number of the float of this kind that is open, whose caption follows. */
  upcoming(kind: string): string
  addHeading(name: string): void
  /** Equations get a common number and letters. */
  beginParts(): void
  endParts(): void
  common(): string | undefined
}

/** Classes that have chapters number by chapter, but for Tufte's. */
const numbersByChapter = (latex: string): boolean =>
  /\\chapter(?![A-Za-z@])/.test(latex) && !/\\documentclass[^{}\n]{0,300}\{tufte-/.test(latex)

const within = /\\(?:numberwithin|counterwithin)\*?\s{0,3}\{([a-z]{1,20})\}\s{0,3}\{section\}/g

export const letterOf = (number: number): string => String.fromCharCode(96 + Math.min(number, 26))

export function createCounters(latex: string): Counters {
  const hasChapters = numbersByChapter(latex)
  const bySection = new Set([...latex.matchAll(within)].map(([, kind]) => kind))
  const values = new Map<string, number>()
  let isAppendix = false
  let common: string | undefined
  let part = 0

  const value = (kind: string) => values.get(kind) ?? 0
  const heading = (kind: string, isOutermost: boolean) =>
    isAppendix && isOutermost ? letterOf(value(kind)).toUpperCase() : String(value(kind))
  function prefix(kind: string): string {
    const chapter = hasChapters && value('chapter') > 0 ? `${heading('chapter', true)}.` : ''
    return bySection.has(kind) ? `${chapter}${heading('section', chapter === '')}.` : chapter
  }
  const numberOf = (kind: string, number: number) => `${prefix(kind)}${number}`
  function next(kind: string): string {
    values.set(kind, value(kind) + 1)
    return numberOf(kind, value(kind))
  }
  function restart(isWithin: (kind: string) => boolean): void {
    for (const kind of values.keys()) if (isWithin(kind)) values.delete(kind)
  }

  return {
    upcoming: (kind) => numberOf(kind, value(kind) + 1),
    next(kind) {
      if (kind !== 'equation' || common === undefined) return next(kind)
      part += 1
      return `${common}${letterOf(part)}`
    },
    addHeading(name) {
      if (name === 'appendix') {
        isAppendix = true
        restart((kind) => kind === (hasChapters ? 'chapter' : 'section'))
      } else if (name === 'chapter' || name === 'section') {
        values.set(name, value(name) + 1)
        restart((kind) => (name === 'section' ? bySection.has(kind) : hasChapters && kind !== 'chapter'))
      }
    },
    beginParts() {
      common = next('equation')
      part = 0
    },
    endParts() {
      common = undefined
    },
    common: () => common,
  }
}
