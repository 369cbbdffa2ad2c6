// Documents whose truth is known, made by seed: other words, fonts, sizes, columns, styles of tables and paper.

export interface Evidence {
  name: string
  html: string
  headings: string[]
  items: string[]
  /** Rows of the table, row by row. */
  table: string[][]
  code: string[]
  paragraphs: string[]
}

const words: Readonly<Record<string, string>> = {
  en: 'clay fired lasts longer than the hand that shaped it and keeps what was pressed into its side while soft',
  de: 'gebrannter Ton überdauert die Hand die ihn formte und bewahrt was man ihm eindrückte solange er weich war',
  fr: 'la terre cuite dure plus longtemps que la main qui la forme et garde ce que l’on y grava quand elle était tendre',
  ru: 'обожжённая глина живёт дольше руки что её лепила и хранит то что вдавили в неё пока она была мягкой',
  el: 'ο ψημένος πηλός κρατά περισσότερο από το χέρι που τον έπλασε και φυλά όσα χαράχτηκαν πάνω του',
}
const families = ['Liberation Serif', 'Liberation Sans', 'DejaVu Serif', 'Carlito', 'Caladea']
const papers = ['A4', 'Letter', 'A5']
const tables = [
  'td, th { border: 0.75pt solid #000 }',
  'table { border-top: 1pt solid #000; border-bottom: 1pt solid #000 } th { border-bottom: 0.5pt solid #000 }',
  'td, th { border-bottom: 0.5pt solid #888 } th { background: #dde }',
]

/** Small steps through the lists: every seed takes another mixture. */
const pick = <T>(from: readonly T[], seed: number, step: number): T =>
  from[(seed * step + step) % from.length] as T

export function makeEvidence(seed: number): Evidence {
  const language = pick(Object.keys(words), seed, 1)
  const pool = (words[language] as string).split(' ')
  const sentence = (from: number, count: number): string => {
    const text = Array.from({ length: count }, (_, i) => pool[(from * 5 + i * 3) % pool.length]).join(' ')
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  }
  const size = 9 + (seed % 4)
  const headings = [1, 2, 3].map((n) => `${n} ${sentence(seed + n, 3)}`)
  const paragraphs = Array.from({ length: 6 }, (_, i) => `${sentence(seed + 2 * i, 40)}.`)
  const items = [0, 1, 2].map((i) => sentence(seed + i, 6))
  const table = Array.from({ length: 5 }, (_, row) =>
    Array.from({ length: 4 }, (_unused, column) =>
      row === 0 || column === 0
        ? sentence(seed + row + 7 * column, 1)
        : String((row * 137 + column * 41 + seed) % 1000),
    ),
  )
  const code = ['for (const pot of kiln) {', '  pot.fire(1200)', '}']
  const cells = (row: string[], tag: string): string => row.map((c) => `<${tag}>${c}</${tag}>`).join('')
  const html = `<!DOCTYPE html>
<html lang="${language}"><head><meta charset="utf-8"><title>Evidence ${seed}</title><style>
@page { size: ${pick(papers, seed, 1)}; margin: 18mm }
body { font: ${size}pt/1.3 "${pick(families, seed, 2)}"; margin: 0 }
h2 { font-size: ${size + 4}pt; margin: 14pt 0 6pt } p, ul, table, pre { margin: 0 0 8pt }
table { border-collapse: collapse } td, th { padding: 2pt 8pt; text-align: left }
${pick(tables, seed, 1)}
pre { font: ${size}pt "DejaVu Sans Mono" }
</style></head><body>
<h2>${headings[0]}</h2><p>${paragraphs[0]}</p><p>${paragraphs[1]}</p>
<h2>${headings[1]}</h2><p>${paragraphs[2]}</p><ul>${items.map((i) => `<li>${i}</li>`).join('')}</ul><p>${paragraphs[3]}</p>
<table><tr>${cells(table[0] ?? [], 'th')}</tr>${table
    .slice(1)
    .map((r) => `<tr>${cells(r, 'td')}</tr>`)
    .join('')}</table>
<h2>${headings[2]}</h2><p>${paragraphs[4]}</p><pre>${code.join('\n')}</pre><p>${paragraphs[5]}</p>
</body></html>`
  return { name: `evidence-${seed}`, html, headings, items, table, code, paragraphs }
}
