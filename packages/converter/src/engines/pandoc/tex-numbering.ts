import { type Counters, createCounters, letterOf } from './tex-counters.ts'
import { bracketAt, type Edit } from './tex-edits.ts'
import type { Label, Names } from './tex-reference-names.ts'
import { texTokens } from './tex-tokens.ts'

// The numbers that LaTeX gives to captions, equations and items, and the labels that refer to them.
//
// One pass over the commands keeps the open environments. A float takes its number from its caption, a row of an equation
// from its end, an item where it begins. A label belongs to the innermost of them, or else to the last heading.

const token = texTokens(
  [
    String.raw`\\begin\{(?<begun>[A-Za-z]{1,40}\*?)\}`,
    String.raw`\\end\{(?<ended>[A-Za-z]{1,40}\*?)\}`,
    String.raw`\\label\s{0,3}\{(?<label>[^{}\n]{1,200})\}`,
    String.raw`\\(?<caption>caption)(?![A-Za-z@*])`,
    String.raw`\\(?<heading>chapter|(?:sub){0,2}section|appendix)(?![A-Za-z@*])(?:\s{0,3}\{(?<title>[^{}]{0,300})\})?`,
    String.raw`\\(?<unnumbered>nonumber|notag)(?![A-Za-z@])`,
    String.raw`\\tag(?<star>\*?)\s{0,3}\{(?<tag>[^{}]{0,100})\}`,
    String.raw`(?<item>\\item)(?![A-Za-z@])`,
    String.raw`(?<row>\\\\)`,
  ].join('|'),
)

const floats = /^(?:SC|wrap|sideways|margin|floating)?(figure|table|algorithm|listing)\*?$/
const rows = /^(?:align|alignat|flalign|gather|eqnarray)\*?$/
const equations = /^(?:equation|multline|dmath|math|displaymath)\*?$/
const unnumbered = /\*$|^(?:display)?math$/

/** Each command looks through the open environments: those that never end must not take quadratic time. */
const maxOpen = 100

interface Environment {
  name: string
  start: number
  /** figure, equation, item, the title of a theorem, ...; nothing if labels do not refer to it. */
  kind: string
  number: string | undefined
  labels: string[]
  /** The items of a list, or the parts of a float. */
  count: number
  isNumbered: boolean
  hasTag: boolean
}

/** Goes through a document. Afterwards it has the labels by name, and the edits that show the numbers. */
export class Numbering {
  readonly labels = new Map<string, Label>()
  readonly edits: Edit[] = []
  readonly #latex: string
  readonly #names: Names
  readonly #counters: Counters
  readonly #theorems: ReadonlyMap<string, string>
  readonly #open: Environment[] = []
  #heading: Label = { kind: 'section', number: undefined }

  constructor(latex: string, names: Names) {
    this.#latex = latex
    this.#names = names
    this.#counters = createCounters(latex)
    this.#theorems = theoremsOf(latex)
    for (const match of latex.matchAll(token)) this.#read(match)
  }

  #read(match: RegExpExecArray): void {
    const { begun, ended, label, caption, heading, title, item, row, tag, star } = match.groups ?? {}
    const start = match.index
    const end = start + match[0].length
    const current = this.#open.at(-1)
    if (begun !== undefined) this.#begin(begun, start, end)
    else if (ended !== undefined) this.#end(ended, start)
    else if (label !== undefined) this.#addLabel(label, start, end)
    else if (caption !== undefined) this.#addCaption(end)
    else if (item !== undefined) this.#addItem()
    else if (tag !== undefined) this.#addTag(star === '' ? `(${tag})` : tag, tag, start, end)
    else if (match.groups?.['unnumbered'] !== undefined) {
      if (current) current.isNumbered = false
    } else if (row !== undefined) {
      if (current && rows.test(current.name)) this.#endRow(current, start)
    } else if (heading !== undefined) {
      this.#counters.addHeading(heading)
      this.#heading = { kind: heading === 'chapter' ? heading : 'section', number: undefined, title }
    }
  }

  #begin(name: string, start: number, end: number): void {
    if (this.#open.length === maxOpen) return
    const kind = kindOf(name, this.#theorems)
    // Labels of items that enumitem describes are not known here.
    const isNumbered = !unnumbered.test(name) && !(kind === 'item' && bracketAt(this.#latex, end))
    this.#open.push({ name, start, kind, number: undefined, labels: [], count: 0, isNumbered, hasTag: false })
    if (name === 'subequations') this.#counters.beginParts()
  }

  #end(name: string, at: number): void {
    const environment = this.#open.at(-1)
    if (environment?.name !== name) return
    if (name === 'subequations') this.#counters.endParts()
    else if (environment.kind === 'equation') this.#endRow(environment, at)
    this.#open.pop()
    this.#setLabels(environment)
  }

  /** Of an equation, which may have one only. Labels become anchors in front of it. */
  #endRow(equation: Environment, at: number): void {
    if (equation.isNumbered && !equation.hasTag) equation.number = this.#counters.next('equation')
    const { number, hasTag, name, start } = equation
    for (const label of equation.labels) this.#insert(start, `{}\\label{${label}}`)
    if (number !== undefined && equation.labels.length > 0 && !hasTag)
      this.#insert(at, rows.test(name) ? `\\qquad\\text{(${number})}` : `\\tag{${number}}`)
    this.#setLabels(equation)
    Object.assign(equation, { number: undefined, isNumbered: !unnumbered.test(name), hasTag: false })
  }

  #addCaption(at: number): void {
    const environment = this.#innermost()
    const argument = bracketAt(this.#latex, at)?.end ?? at
    const opening = /^\s{0,20}\{/.exec(this.#latex.slice(argument, argument + 21))
    if (!environment || !opening) return
    const start = argument + opening[0].length
    if (environment.kind === 'part') {
      const float = this.#open.findLast(({ name }) => floats.test(name))
      if (!float) return
      float.count += 1
      environment.number = this.#counters.upcoming(float.kind) + letterOf(float.count)
      this.#insert(start, `(${letterOf(float.count)}) `)
    } else if (floats.test(environment.name)) {
      environment.number = this.#counters.next(environment.kind)
      this.#insert(start, `${this.#names.nameOf(environment.kind)} ${environment.number}: `)
    }
  }

  #addItem(): void {
    const list = this.#innermost()
    if (list?.kind !== 'item' || !list.isNumbered) return
    list.count += 1
    const [outer, ...others] = this.#open.filter(({ name }) => name === 'enumerate').slice(0, -1)
    if (!outer) list.number = String(list.count)
    else list.number = others.length === 0 ? `${outer.number}${letterOf(list.count)}` : undefined
  }

  #addLabel(label: string, start: number, end: number): void {
    const environment = this.#innermost()
    if (!environment) this.labels.set(label, this.#heading)
    else if (environment.name === 'subequations')
      this.labels.set(label, { kind: 'equation', number: this.#counters.common() })
    else if (environment.kind === 'item') this.labels.set(label, { kind: 'item', number: environment.number })
    else {
      environment.labels.push(label)
      if (environment.kind === 'equation') this.edits.push({ start, end, text: '' })
    }
  }

  /** Within the rows of a formula a tag is an error of most programs. */
  #addTag(shown: string, number: string, start: number, end: number): void {
    const equation = this.#innermost()
    if (equation?.kind !== 'equation') return
    Object.assign(equation, { hasTag: true, number })
    if (rows.test(equation.name)) this.edits.push({ start, end, text: `\\qquad\\text{${shown}}` })
  }

  #setLabels(environment: Environment): void {
    const { name, number } = environment
    const kind = environment.kind === 'part' ? name.replace(/^sub|\*$/g, '') : environment.kind
    for (const label of environment.labels) this.labels.set(label, { kind, number })
    environment.labels = []
  }

  #innermost(): Environment | undefined {
    return this.#open.findLast(({ kind }) => kind !== '')
  }

  #insert(at: number, text: string): void {
    this.edits.push({ start: at, end: at, text })
  }
}

function kindOf(name: string, theorems: ReadonlyMap<string, string>): string {
  if (equations.test(name) || rows.test(name) || name === 'subequations') return 'equation'
  if (/^sub(?:figure|table)\*?$/.test(name)) return 'part'
  if (name === 'enumerate') return 'item'
  if (name === 'itemize' || name === 'description') return 'list'
  return floats.exec(name)?.[1] ?? theorems.get(name) ?? ''
}

const theorem =
  /\\newtheorem\s{0,3}\{([A-Za-z]{1,40})\}\s{0,3}(?:\[[A-Za-z]{1,40}\])?\s{0,3}\{([^{}\n]{1,100})\}/g

const theoremsOf = (latex: string): ReadonlyMap<string, string> =>
  new Map([...latex.matchAll(theorem)].map(([, name = '', title = '']) => [name, title]))
