import type { Block } from '../../../../packages/pdf/src/blocks/block.ts'
import type { Box } from '../../../../packages/pdf/src/geometry.ts'
import type { Band } from '../../../../packages/pdf/src/layout/layout.ts'
import type { TextRun } from '../../../../packages/pdf/src/lines/line.ts'
import type { PageLines } from '../../../../packages/pdf/src/lines/lines.ts'
import type { Page } from '../../../../packages/pdf/src/read/page.ts'
import type { FoundTable } from '../../../../packages/pdf/src/tables/table.ts'
import { escapeXml } from '../../../../packages/pdf/src/write/xml.ts'

// One page as an SVG: its picture, overlaid with the bounding boxes of each stage.

export interface StageView {
  page: Page
  lines: PageLines
  running: readonly TextRun[]
  tables: readonly FoundTable[]
  bands: readonly Band[]
  /** Blocks that begin on the page. */
  blocks: readonly Block[]
  /** The rendered page as PNG. */
  picture: Uint8Array | undefined
}

const rectangle = (b: Box, style: string, title = ''): string =>
  `<rect x="${b.x0.toFixed(1)}" y="${b.y0.toFixed(1)}" width="${Math.max(0.2, b.x1 - b.x0).toFixed(1)}" height="${Math.max(0.2, b.y1 - b.y0).toFixed(1)}" ${style}>${title ? `<title>${escapeXml(title)}</title>` : ''}</rect>`

function kindOf(b: Block): string {
  if (b.kind === 'table') return `table, ${b.rows.length} rows`
  if (b.heading !== undefined) return b.heading === 0 ? 'title' : `heading ${b.heading}`
  if (b.list) return `list item, level ${b.list.level + 1}`
  if (b.toc !== undefined) return `entry of the contents, level ${b.toc}`
  return `paragraph, ${b.align}, ${b.lines} lines`
}

/** The layers, from bottom to top. */
export const layerNames = [
  'picture',
  'fills',
  'pictures',
  'glyphs',
  'rules',
  'lines',
  'tables',
  'layout',
  'running',
  'blocks',
] as const

export function drawStages({ page, lines, running, tables, bands, blocks, picture }: StageView): string {
  const glyphs = page.glyphs
    .filter((g) => g.text.trim() && g.turn === 0)
    .map(
      (g) =>
        `<text x="${g.x.toFixed(1)}" y="${g.y.toFixed(1)}" font-size="${g.size.toFixed(1)}">${escapeXml(g.text)}</text>`,
    )
  const seen = picture
    ? `<image href="data:image/png;base64,${Buffer.from(picture).toString('base64')}" width="${page.width}" height="${page.height}"/>`
    : ''
  const layers: [(typeof layerNames)[number], string[]][] = [
    ['picture', [seen]],
    ['fills', page.fills.map((f) => rectangle(f.box, `fill="#${f.color}" fill-opacity="0.3"`))],
    [
      'pictures',
      page.pictures.map((p) => rectangle(p.box, 'fill="#9cf" fill-opacity="0.4" stroke="#06c"', 'picture')),
    ],
    ['glyphs', glyphs],
    [
      'rules',
      lines.rules.map((r) =>
        rectangle(
          r.horizontal
            ? { x0: r.from, x1: r.to, y0: r.at - 0.4, y1: r.at + 0.4 }
            : { x0: r.at - 0.4, x1: r.at + 0.4, y0: r.from, y1: r.to },
          `fill="${r.weak ? '#fa0' : '#f00'}"`,
        ),
      ),
    ],
    [
      'lines',
      [...lines.textRuns, ...lines.turned].map((p) =>
        rectangle(p.box, 'fill="none" stroke="#0a0" stroke-width="0.4"', p.text),
      ),
    ],
    [
      'tables',
      tables.flatMap((t) => [
        ...t.cells.map((c) =>
          rectangle(c.box, 'fill="none" stroke="#c0c" stroke-width="0.8"', `row ${c.row} column ${c.column}`),
        ),
        rectangle(
          t.box,
          'fill="none" stroke="#808" stroke-width="1.6"',
          t.ruled ? 'ruled table' : 'unruled table',
        ),
      ]),
    ],
    [
      'layout',
      bands.flatMap((b, i) => [
        rectangle(b.box, 'fill="none" stroke="#00f" stroke-width="1.2"', `band ${i + 1}`),
        ...b.columns.map((c, k) =>
          rectangle(
            c.box,
            'fill="none" stroke="#00f" stroke-width="0.6" stroke-dasharray="4 2"',
            `band ${i + 1} column ${k + 1}`,
          ),
        ),
      ]),
    ],
  ]
  layers.push(
    ['running', running.map((p) => rectangle(p.box, 'fill="#fc0" fill-opacity="0.3"', 'running line'))],
    [
      'blocks',
      blocks.map((b) => rectangle(b.box, 'fill="none" stroke="#f60" stroke-width="0.8"', kindOf(b))),
    ],
  )
  const body = layers.map(([name, shapes]) => `<g id="${name}">\n${shapes.join('\n')}\n</g>`).join('\n')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${page.width} ${page.height}" width="${page.width}" height="${page.height}" font-family="sans-serif">\n<rect width="100%" height="100%" fill="#fff"/>\n${body}\n</svg>\n`
}
