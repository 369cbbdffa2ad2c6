// What captions and references to labels are called, by the language of the document.

export interface Label {
  kind: string
  /** Undefined where pandoc numbers it: sections and theorems. */
  number: string | undefined
  /** The text of a heading. */
  title?: string | undefined
}

const kinds = ['figure', 'table', 'algorithm', 'equation', 'section', 'chapter', 'item'] as const
const languages: readonly (readonly [name: RegExp, words: string])[] = [
  [/n?german|austrian|n?swissgerman/, 'Abbildung Tabelle Algorithmus Gleichung Abschnitt Kapitel Punkt'],
  [/french|francais/, 'Figure Table Algorithme Équation Section Chapitre Point'],
  [/spanish/, 'Figura Cuadro Algoritmo Ecuación Sección Capítulo Punto'],
  [/italian/, 'Figura Tabella Algoritmo Equazione Sezione Capitolo Punto'],
  [/portuguese|portuges|brazil(?:ian)?/, 'Figura Tabela Algoritmo Equação Seção Capítulo Item'],
  [/dutch/, 'Figuur Tabel Algoritme Vergelijking Paragraaf Hoofdstuk Punt'],
]
const english = 'Figure Table Algorithm Equation Section Chapter Item'

export interface Names {
  /** The name of a kind at the beginning of a caption. */
  nameOf(kind: string): string
  /** What replaces \cref{…}, \autoref{…} and the like. */
  reference(command: string, keys: readonly string[], labels: ReadonlyMap<string, Label>): string
}

export function createNames(latex: string): Names {
  const words = languages.find(([name]) => loads(latex, name))?.[1]
  const names = new Map(
    inLatin1(words ?? english)
      .split(' ')
      .map((word, index) => [kinds[index] ?? '', word]),
  )
  const nameOf = (kind: string) => names.get(kind) ?? kind
  return {
    nameOf,
    reference(command, keys, labels) {
      const parts = keys.map((key) => ({ key, label: labels.get(key) ?? guess(key) }))
      const kind = parts[0]?.label?.kind
      const isBare = /^(?:eq|v|V|full)?ref$/.test(command) || kind === undefined
      const isLower = words === undefined && command === 'cref'
      const name = isBare ? '' : isLower ? nameOf(kind).toLowerCase() : nameOf(kind)
      const plural = words === undefined && !isBare && keys.length > 1 ? 's' : ''
      const shown = parts.map(({ key, label }) => {
        const isInParentheses = label?.kind === 'equation' && command !== 'ref' && command !== 'autoref'
        return linked(key, label?.number, isInParentheses || command === 'eqref')
      })
      return (name && `${name}${plural}~`) + listOf(shown)
    },
  }
}

const loads = (latex: string, name: RegExp): boolean =>
  new RegExp(
    String.raw`\\documentclass\s{0,3}\[[^\][]{0,300}\b(?:${name.source})\b|\\usepackage\s{0,3}\[(?:[^\][]{0,300},)?\s{0,3}(?:main=)?(?:${name.source})\s{0,3}\]\s{0,3}\{babel\}|\\(?:setmainlanguage|setdefaultlanguage)\s{0,3}(?:\[[^\][]{0,100}\])?\{(?:${name.source})\}`,
  ).test(latex)

/** The source is read byte by byte. */
const inLatin1 = (text: string) => Buffer.from(text).toString('latin1')

const linked = (key: string, number: string | undefined, isInParentheses: boolean): string => {
  const text = number === undefined ? `\\ref{${key}}` : `\\hyperref[${key}]{${number}}`
  return isInParentheses ? `(${text})` : text
}

const listOf = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} \\& ${items.at(-1)}`

const prefixes: Readonly<Record<string, string>> = {
  fig: 'figure',
  tab: 'table',
  tbl: 'table',
  alg: 'algorithm',
  eq: 'equation',
  eqn: 'equation',
  sec: 'section',
  subsec: 'section',
  ch: 'chapter',
  chap: 'chapter',
}

/** By the prefixes that most authors use: the label may be in another file. */
function guess(key: string): Label | undefined {
  const kind = prefixes[key.split(':', 1)[0]?.toLowerCase() ?? '']
  return kind === undefined || !key.includes(':') ? undefined : { kind, number: undefined }
}
