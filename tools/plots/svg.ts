// A small SVG writer: enough for bars and steps, readable on a light and on a dark page.

export const colours = ['#c2571a', '#6b7f92', '#2f7d5b', '#8a5fb0']
const grid = '#8885'

const width = 720
const height = 300
const margin = { left: 64, right: 16, top: 56, bottom: 54 }
export const inner = {
  left: margin.left,
  right: width - margin.right,
  top: margin.top,
  bottom: height - margin.bottom,
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export const text = (
  x: number,
  y: number,
  words: string,
  anchor: 'start' | 'middle' | 'end' = 'middle',
): string => `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escaped(words)}</text>`

const line = (x1: number, y1: number, x2: number, y2: number, style: string): string =>
  `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" ${style}/>`

export const rectangle = (x: number, y: number, w: number, h: number, fill: string): string =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}" fill="${fill}"/>`

const round = (value: number): string => String(Math.round(value * 10) / 10)

/** Ticks at round numbers, from zero to beyond the largest value. */
function ticks(largest: number): number[] {
  const rough = (largest || 1) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10)
  return Array.from({ length: Math.ceil(largest / step) + 1 }, (_, index) => index * step)
}

export interface Axis {
  top: number
  place(value: number): number
  drawn: string
}

export function verticalAxis(largest: number, label = ''): Axis {
  const marks = ticks(largest)
  const top = marks.at(-1) as number
  const place = (value: number) => inner.bottom - (value / top) * (inner.bottom - inner.top)
  const drawn = marks.map(
    (mark) =>
      line(inner.left, place(mark), inner.right, place(mark), `stroke="${grid}"`) +
      text(inner.left - 8, place(mark) + 4, mark.toLocaleString('en-US'), 'end'),
  )
  return { top, place, drawn: drawn.join('') + text(inner.left, inner.top - 10, label, 'start') }
}

export function legend(names: readonly string[]): string {
  return names
    .map((name, index) => {
      const x = inner.right - (names.length - index) * 150
      return rectangle(x, 32, 10, 10, colours[index] as string) + text(x + 15, 41, name, 'start')
    })
    .join('')
}

export const targetLine = (y: number, words: string): string =>
  line(inner.left, y, inner.right, y, 'stroke="#b3261e" stroke-dasharray="6 4" stroke-width="1.5"') +
  text(inner.right, y - 5, words, 'end')

export const document = (title: string, ...parts: string[]): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title).replaceAll('"', '&quot;')}">`,
    '<style>text{font:12px system-ui,sans-serif;fill:#4a4f55}.title{font-size:14px;font-weight:600}@media(prefers-color-scheme:dark){text{fill:#c5c9ce}}</style>',
    `<text class="title" x="${margin.left}" y="20">${escaped(title)}</text>`,
    ...parts,
    '</svg>\n',
  ].join('\n')
