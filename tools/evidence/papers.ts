import type { Flow, FlowBlock } from './flow.ts'

// Papers as TeX sets them, made by seed: one and two columns, footnotes, program text, formulas, tables with few rules,
// and headings of several classes.

type Typesetter = 'pdflatex' | 'lualatex' | 'pandoc'

export interface Paper {
  name: string
  typesetter: Typesetter
  tex: string
  /** Variables for pandoc's own template; the other two have them in `tex`. */
  variables: readonly string[]
  truth: Flow
}

/** TeX breaks both as English: its patterns for other languages are further packages. */
const words: Readonly<Record<string, string>> = {
  english:
    'clay fired in a kiln lasts longer than the hand that shaped it and every temperature measured during the experiment remained within the expected interval although several observations were considered preliminary because independent confirmation was difficult to obtain from comparable laboratories',
  german:
    'gebrannter Ton überdauert die Hand die ihn formte und jede gemessene Temperatur blieb innerhalb der erwarteten Grenzen obwohl mehrere Beobachtungen nur vorläufig waren weil unabhängige Bestätigungen aus vergleichbaren Werkstätten schwer zu bekommen sind',
}
const classes = ['article', 'article', 'scrartcl', 'amsart', 'memoir', 'report']
const fonts = ['', '\\usepackage{lmodern}', '\\usepackage{mathptmx}', '\\usepackage{mathpazo}']
const inlineFormulas = [
  'x_{i}',
  '\\alpha+\\beta',
  'n+1',
  'f(x)=x^{2}',
  'E=mc^{2}',
  'x\\in A',
  'a\\le b',
  '\\sigma_{0}^{2}',
  '\\lambda',
  'T_{max}',
]
const displayFormulas = [
  '\\frac{a+b}{c}=\\sum_{i=1}^{n}x_{i}',
  '\\int_{0}^{1}f(x)dx=\\pi',
  'r=\\sqrt{x^{2}+y^{2}}',
  'A=\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}',
  'y_{t}=\\alpha+\\beta x_{t}+\\epsilon_{t}',
  '\\frac{\\partial u}{\\partial t}=k\\frac{\\partial^{2}u}{\\partial x^{2}}',
  '\\hat{\\theta}=\\frac{1}{n}\\sum_{i=1}^{n}(x_{i}-\\mu)^{2}',
]
const listings = [
  ['for pot in kiln:', '    pot.fire(1200)', '    if pot.cracked:', '        break', 'print(len(kiln))'],
  ['int main(void) {', '  double t = 20.5;', '  while (t < 1200)', '    t += step();', '  return 0;', '}'],
  ['SELECT name, fired', 'FROM pots', 'WHERE fired > 1200', 'ORDER BY name;'],
]

/** A chain of numbers that looks random and is the same everywhere. */
function chain(seed: number): (below: number) => number {
  let state = Math.imul(seed, 2_654_435_761)
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x297a2d39) | 0
    return (state >>> 8) % below
  }
}

export function makePaper(seed: number): Paper {
  const next = chain(seed)
  const pick = <T>(from: readonly T[]): T => from[next(from.length)] as T
  const typesetter = (['pdflatex', 'lualatex', 'pandoc'] as const)[seed % 3] as Typesetter
  const language = next(3) === 0 ? 'german' : 'english'
  const pool = (words[language] as string).split(' ')
  const phrase = (count: number): string => {
    const text = Array.from({ length: count }, () => pick(pool)).join(' ')
    return text.charAt(0).toUpperCase() + text.slice(1)
  }
  const sentence = (): string => `${phrase(8 + next(14))}.`
  const notes: FlowBlock[] = []
  const truth: FlowBlock[] = []
  const body: string[] = []

  const addParagraph = (): void => {
    const sentences = Array.from({ length: 2 + next(5) }, sentence)
    const formulas: FlowBlock[] = []
    const tex = sentences.map((text) => {
      if (next(4) > 0) return text
      const formula = pick(inlineFormulas)
      formulas.push({ kind: 'formula', text: formula })
      return `${text.slice(0, -1)} $${formula}$.`
    })
    const bare = sentences.map((text, i) => (tex[i] === text ? text : `${text.slice(0, -1)} .`))
    if (next(4) === 0) {
      const note = `${phrase(6 + next(20))}.`
      notes.push({ kind: 'note', text: note })
      tex[tex.length - 1] += `\\footnote{${note}}`
    }
    truth.push({ kind: 'paragraph', text: bare.join(' ') }, ...formulas)
    body.push(tex.join(' '))
  }
  const addItems = (): void => {
    const kind = pick(['itemize', 'enumerate'])
    const items = Array.from({ length: 2 + next(4) }, () => phrase(4 + next(16)))
    truth.push(...items.map((text) => ({ kind: 'item' as const, text })))
    body.push(`\\begin{${kind}}\n${items.map((i) => `\\item ${i}`).join('\n')}\n\\end{${kind}}`)
  }
  const addFormula = (): void => {
    const formula = pick(displayFormulas)
    const kind = pick(['equation', 'equation*'])
    truth.push({ kind: 'formula', text: formula })
    body.push(`\\begin{${kind}}\n${formula}\n\\end{${kind}}`)
  }
  const codeKind = pick(['verbatim', 'lstlisting'])
  const addListing = (): void => {
    const code = pick(listings)
    truth.push({ kind: 'listing', text: code.join('\n') })
    body.push(`\\begin{${codeKind}}\n${code.join('\n')}\n\\end{${codeKind}}`)
  }
  const isParted = next(2) === 0
  const addTable = (): void => {
    const columns = 2 + next(isParted ? 2 : 4)
    const rows = Array.from({ length: 3 + next(6) }, (_, row) =>
      Array.from({ length: columns }, (_unused, column) =>
        row === 0 || column === 0 ? phrase(1) : (next(90000) / 100).toFixed(2),
      ),
    )
    truth.push({ kind: 'table', rows })
    const [head = '', ...rest] = rows.map((row) => `${row.join(' & ')} \\\\`)
    body.push(
      `\\begin{center}\n\\begin{tabular}{l${'r'.repeat(columns - 1)}}\n\\toprule\n${head}\n\\midrule\n${rest.join('\n')}\n\\bottomrule\n\\end{tabular}\n\\end{center}`,
    )
  }
  const addHeading = (level: string, mark: string): void => {
    const heading = phrase(2 + next(4))
    truth.push({ kind: 'heading', text: heading })
    body.push(`\\${level}${mark}{${heading}}`)
  }

  const isNumbered = next(4) > 0
  const documentClass = typesetter === 'pandoc' ? pick(['article', 'scrartcl', 'report']) : pick(classes)
  const mark = isNumbered ? '' : '*'
  const top = documentClass === 'report' ? 'chapter' : 'section'
  const second = top === 'chapter' ? 'section' : 'subsection'
  const parts = [addItems, addFormula, addListing, addTable]
  const sections = 2 + next(2)
  for (let section = 0; section < sections; section++) {
    // A numbered chapter has a separate line above its title.
    if (top === 'chapter' && isNumbered) truth.push({ kind: 'heading', text: `Chapter ${section + 1}` })
    addHeading(top, mark)
    addParagraph()
    pick(parts)()
    addParagraph()
    // In amsart it is part of the first line of its text.
    if (next(2) === 0 && documentClass !== 'amsart') {
      addHeading(second, mark)
      addParagraph()
      pick(parts)()
      addParagraph()
    }
    addParagraph()
  }
  const size = pick(['10pt', '11pt', '12pt'])
  const paper = pick(['a4paper', 'letterpaper'])
  const margin = pick(['2cm', '2.5cm', '1in'])
  const options = [size, paper, ...(isParted ? ['twocolumn'] : [])]
  const ownFont = typesetter === 'lualatex' ? pick(['', '\\usepackage{unicode-math}']) : pick(fonts)
  const lines = typesetter === 'lualatex' ? '' : '\\usepackage[T1]{fontenc}\n\\usepackage[utf8]{inputenc}\n'
  const numbers = next(2) === 0 ? '\\lstset{numbers=left}' : ''
  const tex =
    typesetter === 'pandoc'
      ? body.join('\n\n')
      : `\\documentclass[${options.join(',')}]{${documentClass}}
${lines}\\usepackage[margin=${margin}]{geometry}
\\usepackage{amsmath,booktabs,listings}
${ownFont}
\\lstset{basicstyle=\\small\\ttfamily,columns=fullflexible,keepspaces=true}
${numbers}
\\begin{document}
${body.join('\n\n')}
\\end{document}
`
  const variables = [
    `documentclass=${documentClass}`,
    `papersize=${paper.replace('paper', '')}`,
    `fontsize=${size}`,
    `geometry=margin=${margin}`,
    ...(isNumbered ? ['numbersections'] : []),
    ...(isParted && !truth.some((b) => b.kind === 'table') ? ['classoption=twocolumn'] : []),
  ]
  return { name: `paper-${typesetter}-${seed}`, typesetter, tex, variables, truth: [...truth, ...notes] }
}
