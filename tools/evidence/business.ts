import { type BusinessWords, businessWords } from './business-words.ts'

// Invoices, forms and price lists with known content: which texts are side by side, which value belongs to which label
// and which cells form a row. Every seed combines language, font, paper, order of the blocks and table style
// differently.

export interface BusinessPage {
  name: string
  html: string
  /** Lines that belong together and are read one after the other. */
  runs: string[][]
  /** A label and its value. */
  pairs: [string, string][]
  rows: string[][]
}

const families = ['Liberation Sans', 'Liberation Serif', 'DejaVu Sans', 'Carlito', 'Caladea', 'Lato', 'Inter']
const papers = ['A4', 'Letter', 'A4', 'A5']
/** Rules all around, across only, under the heads, around the heads alone, shading, none. */
const tableStyles = [
  '.items td, .items th { border: 0.75pt solid #333 }',
  '.items td, .items th { border-bottom: 0.5pt solid #888 }',
  '.items th { border-bottom: 1pt solid #000 }',
  '.items th { border-top: 1pt solid #000; border-bottom: 1pt solid #000 }',
  '.items th { background: #246; color: #fff } .items tr.even td { background: #eef2f6 }',
  '.items th { text-decoration: none }',
  '.items { border: 1pt solid #000 } .items td, .items th { border-left: 0.5pt solid #000 } .items th { border-bottom: 0.5pt solid #000 }',
]

/** Widths of the item columns, in percent. */
const widths = [8, 42, 12, 18, 20]

/** The same numbers for the same seed. */
function choices(seed: number): <T>(from: readonly T[]) => T {
  let state = Math.imul(seed, 0x9e3779b1)
  return (from) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9
    state = (state ^ (state >>> 13)) >>> 0
    return from[Math.floor((state / 2 ** 32) * from.length)] as never
  }
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const lines = (of: readonly string[]): string => of.map(escaped).join('<br>')
const beside = (left: string, right: string, share: number): string =>
  `<table class="side" width="100%"><tr><td width="${share}%">${left}</td><td width="${100 - share}%">${right}</td></tr></table>`
// Widths and alignment as attributes: LibreOffice reads few of the selectors that browsers do.
const pairRows = (pairs: readonly (readonly [string, string])[], look: string): string =>
  `<table class="${look}" width="90%">${pairs
    .map(
      ([label, value]) =>
        `<tr><td width="55%">${escaped(label)}</td><td width="45%" class="value"${look.includes('sums') ? ' align="right"' : ''}>${escaped(value)}</td></tr>`,
    )
    .join('')}</table>`

type Part = Pick<BusinessPage, 'html' | 'runs' | 'pairs' | 'rows'>
type Choose = ReturnType<typeof choices>

export function makeBusinessPage(seed: number): BusinessPage {
  const choose = choices(seed)
  const language = choose(Object.keys(businessWords))
  const words = businessWords[language] as BusinessWords
  const kind = choose(['invoice', 'invoice', 'invoice', 'form', 'prices'] as const)
  const make = { invoice: makeInvoice, form: makeForm, prices: makePrices }[kind]
  const paper = choose(papers)
  const family = language === 'ja' ? 'Noto Sans CJK JP' : choose(families)
  const size = paper === 'A5' ? 8 : choose([9, 10, 11])
  const style = choose(tableStyles)
  const { html, ...truth } = make(words, choose, seed)
  return {
    name: `${kind}-${language}-${seed}`,
    ...truth,
    html: `<!DOCTYPE html>
<html lang="${language}"><head><meta charset="utf-8"><title>${escaped(words.invoice)} ${seed}</title><style>
@page { size: ${paper}; margin: ${paper === 'A5' ? 12 : 18}mm }
body { font: ${size}pt/1.35 "${family}"; margin: 0 }
h1 { font-size: ${size + 8}pt; margin: 12pt 0 10pt } p { margin: 8pt 0 }
table { border-collapse: collapse } td, th { vertical-align: top; padding: 0 }
td, th, p, h1 { font-family: "${family}"; } td, th, p { font-size: ${size}pt }
.side > tbody > tr > td { padding: 0 } .label td { padding: 1pt 10pt 1pt 0 } .boxed td, .boxed th { border: 0.5pt solid #555; padding: 2pt 5pt }
.items { width: 100%; margin: 12pt 0 } .items td, .items th { padding: 3pt 5pt }
.small td { font-size: ${size - 2}pt } .ruled .value { border-bottom: 0.5pt solid #000 } .sums td { padding: 2pt 5pt }
${style}
</style></head><body>${html}</body></html>`,
  }
}

function makeInvoice(w: BusinessWords, choose: Choose, seed: number): Part {
  const number = `${2024 + (seed % 3)}-${1000 + ((seed * 37) % 9000)}`
  const values = [
    number,
    `${1 + (seed % 28)}.03.2026`,
    `${1 + (seed % 28)}.04.2026`,
    String(40000 + seed * 13),
  ]
  const meta = w.meta.map((label, i): [string, string] => [label, values[i] as string])
  const count = choose([2, 3, 4, 6, 9])
  const long = choose([true, false])
  const rows = Array.from({ length: count }, (_, i) => {
    const price = 350 + ((seed * 131 + i * 977) % 190_000)
    const quantity = 1 + ((seed + i * 5) % 12)
    const goods = w.goods[(seed + i) % w.goods.length] as string
    const name = long && i % 2 === 0 ? `${goods}, ${w.detail}` : goods
    return [String(i + 1), name, String(quantity), w.money(price), w.money(price * quantity)]
  })
  const amounts = [125_000, 23_750, 148_750].map((c) => w.money(c + seed))
  const sums = w.sums.map((label, i): [string, string] => [label, amounts[i] as string])
  const head = choose(['address-meta', 'two-addresses', 'meta-address', 'boxes'] as const)
  const seller = choose([true, false])
    ? lines(w.seller)
    : `<b>${lines(w.seller.slice(0, 1))}</b><br>${lines(w.seller.slice(1))}`
  const metaTable = pairRows(meta, choose(['label', 'label', 'boxed']))
  const addresses = beside(
    `<b>${escaped(w.from)}</b><br>${seller}`,
    `<b>${escaped(w.to)}</b><br>${lines(w.buyer)}`,
    50,
  )
  const top = {
    'address-meta': `<p>${seller}</p>${beside(lines(w.buyer), metaTable, choose([50, 60]))}<h1>${escaped(w.invoice)}</h1>`,
    'two-addresses': `<h1>${escaped(w.invoice)}</h1>${metaTable}<p></p>${addresses}`,
    'meta-address': `${beside(`<h1>${escaped(w.invoice)}</h1>${metaTable}`, seller, 60)}<p>${lines(w.buyer)}</p>`,
    boxes: `<h1>${escaped(w.invoice)}</h1>${addresses}<p></p><table class="boxed" width="100%"><tr>${meta.map(([l]) => `<th width="25%" align="left">${escaped(l)}</th>`).join('')}</tr><tr>${meta.map(([, v]) => `<td width="25%">${escaped(v)}</td>`).join('')}</tr></table>`,
  }[head]
  const cell = (text: string, i: number, tag: string): string =>
    `<${tag} width="${widths[i]}%" align="${i > 1 ? 'right' : 'left'}">${escaped(text)}</${tag}>`
  const inside = choose([true, false])
  const sumRows = inside
    ? sums
        .map(
          ([l, v]) =>
            `<tr><td colspan="4" align="right">${escaped(l)}</td><td align="right">${escaped(v)}</td></tr>`,
        )
        .join('')
    : ''
  const items = `<table class="items" width="100%"><tr>${w.heads.map((h, i) => cell(h, i, 'th')).join('')}</tr>${rows
    .map((r, i) => `<tr class="${i % 2 ? 'even' : 'odd'}">${r.map((c, k) => cell(c, k, 'td')).join('')}</tr>`)
    .join('')}${sumRows}</table>`
  const below = inside ? '' : beside('&nbsp;', pairRows(sums, 'sums'), 60)
  const foot = `<table class="small" width="100%"><tr>${w.foot.map((f) => `<td width="33%">${lines(f)}</td>`).join('')}</tr></table>`
  return {
    html: `${top}${items}${below}<p>${escaped(w.terms)}</p>${choose([true, false]) ? foot : ''}`,
    runs: [[...w.seller], [...w.buyer]],
    pairs: [...meta, ...sums],
    rows: [[...w.heads], ...rows],
  }
}

function makeForm(w: BusinessWords, choose: Choose): Part {
  const pairs = w.fields.map(([l, v]): [string, string] => [l, v])
  const look = choose(['label', 'boxed', 'ruled label'])
  const half = pairs.length / 2
  const isWide = choose([true, false])
  const body = isWide
    ? beside(pairRows(pairs.slice(0, half), look), pairRows(pairs.slice(half), look), 50)
    : pairRows(pairs, look)
  const ticks = w.goods.slice(0, 3).map((g) => `☐ ${g}`)
  return {
    html: `<h1>${escaped(w.to)}</h1><p>${escaped(w.terms)}</p>${body}<p>${lines(ticks)}</p><p>${escaped(w.terms)}</p>`,
    runs: [ticks],
    pairs,
    rows: [],
  }
}

function makePrices(w: BusinessWords, choose: Choose, seed: number): Part {
  const half = (from: number): [string, string][] =>
    Array.from({ length: 8 }, (_, i) => [
      `${w.goods[(from + i) % w.goods.length]} ${'ABCDEFGH'[i]}${from}`,
      w.money(290 + ((seed * 71 + (from + i) * 613) % 20_000)),
    ])
  const [left, right] = [half(1), half(2)]
  const isWide = choose([true, false])
  const body = isWide
    ? beside(pairRows(left, 'sums'), pairRows(right, 'sums'), 50)
    : `${pairRows(left, 'sums items')}<p>${escaped(w.terms)}</p>${pairRows(right, 'sums items')}`
  return {
    html: `<h1>${escaped(w.invoice)}</h1><p>${escaped(w.terms)}</p>${body}`,
    runs: [],
    pairs: [...left, ...right],
    rows: [],
  }
}
