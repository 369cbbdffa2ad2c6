import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { naturalHeight } from '../font-metrics.ts'
import { inOrder } from '../layout/layout.ts'
import { plainFont, textRunOf } from '../lines/test-text-runs.ts'
import { columnBlocks } from './assemble.ts'
import { type Block, type Cell, emptyParagraph, type Paragraph } from './block.ts'
import { fittingLetterSpacing } from './letter-spacing.ts'
import { measurePitch } from './line-pitch.ts'
import { fillRows } from './row-heights.ts'
import { textRules } from './rules.ts'
import { exactPitch, measureGaps, settlePitch } from './spacing.ts'
import { learnVocabulary } from './vocabulary.ts'

type TextRun = ReturnType<typeof textRunOf>

const frame = { x0: 50, x1: 300 }
const box = { ...frame, y0: 0, y1: 800 }
const natural = naturalHeight(plainFont, 10)

function blocksOf(items: Parameters<typeof inOrder>[0], textRuns: readonly TextRun[]): Block[] {
  const vocabulary = learnVocabulary(textRuns.map((p) => p.text))
  const context = { linePitch: measurePitch([]), vocabulary, spacing: new Map() }
  return columnBlocks({ frame, items: inOrder(items), page: 0, starts: 'page' }, context)
}

const textOf = (text: string, change: Partial<Paragraph> = {}): Paragraph => ({
  ...emptyParagraph(box, 0, undefined),
  font: plainFont,
  size: 10,
  text,
  ...change,
})

describe('lines break where they broke', () => {
  const inGaramond = (given: ReturnType<typeof textRunOf>[]): Paragraph => {
    const textRuns = given.map((p) => ({ ...p, font: { ...plainFont, name: 'Garamond' } }))
    for (const p of textRuns) for (const s of p.spans) s.style.font = p.font
    const [p] = blocksOf(
      textRuns.map((textRun) => ({ box: textRun.box, textRun })),
      textRuns,
    ) as [Paragraph]
    return p
  }

  it('ragged text is indented where the next word would fit', () => {
    const textRuns = [
      textRunOf('a line of ragged words that ends some early', 50, 100),
      textRunOf('and another line of such words that ends right', 50, 112),
      textRunOf('at last', 50, 124),
    ]
    const p = inGaramond(textRuns)
    expect(p.lines).toBe(3)
    const edge = frame.x1 - p.right
    expect(edge).toBeGreaterThan(50 + 5 * 46)
    expect(edge).toBeLessThan(50 + 5 * (43 + 1 + 3))
  })

  it('letters of justified text move until as many lines come out', () => {
    const word = fc.integer({ min: 8, max: 40 })
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 12, maxLength: 80 }),
        fc.constantFrom(-0.15, 0.15),
        (widths, by) => {
          // Set with letters that stand apart by `by`, then measured without it.
          const lines: { text: string; width: number; gap: number }[][] = [[]]
          let used = 0
          for (const [i, width] of widths.entries()) {
            const text = `w${String(i).padStart(3, '0')}`
            const wide = width + text.length * by
            if (used > 0 && used + 2.5 + by + wide > 200 + 0.2 * 2.5 * (lines.at(-1)?.length ?? 0)) {
              lines.push([])
              used = 0
            }
            used += (used > 0 ? 2.5 + by : 0) + wide
            lines.at(-1)?.push({ text, width, gap: 2.5 })
          }
          if (lines.length < 2) return
          const set = lines.map((words) => ({ x0: 0, textX0: 0, size: 10, width: 0, words }))
          const text = lines.flatMap((l) => l.map((w) => w.text)).join(' ')
          const spread = fittingLetterSpacing(set, { text, label: '' }, 2.5, 200)
          expect(Math.abs(spread)).toBeLessThanOrEqual(0.25)
          expect(linesAt(widths, spread)).toBe(lines.length)
        },
      ),
    )
  })

  it('letters of whatever size a file claims are tried a few times only', () => {
    const words = [{ text: 'word', width: 150, gap: 0 }]
    const set = [words, words].map((each) => ({ x0: 0, textX0: 0, size: 1e9, width: 0, words: each }))
    expect(
      Math.abs(fittingLetterSpacing(set, { text: 'word word', label: '' }, 2.5, 200)),
    ).toBeLessThanOrEqual(2)
  })

  const lineOf = (...texts: string[]): Parameters<typeof fittingLetterSpacing>[0][number] => ({
    x0: 0,
    textX0: 0,
    size: 10,
    width: 0,
    words: texts.map((text, i) => ({ text, width: 10 * [...text].length, gap: i > 0 ? 2.5 : 0 })),
  })

  it('a word that a line end broke may break there again', () => {
    const broken = [lineOf('aaaa', 'bb-'), lineOf('cccc', 'dd')]
    expect(fittingLetterSpacing(broken, { text: 'aaaa bbcccc dd', label: '' }, 2.5, 81.5)).toBeCloseTo(0)
  })

  it('Chinese and Japanese words break after any character', () => {
    // The first line is a hair too wide for its room, however its characters are counted together.
    const lines = [lineOf('漢字漢字漢字漢字漢字'), lineOf('漢字漢字漢字漢字漢字'), lineOf('漢字')]
    const text = '漢字'.repeat(11)
    expect(fittingLetterSpacing(lines, { text, label: '' }, 2.5, 99)).toBeCloseTo(-0.15)
  })

  it('a line beyond the frame has room for the rounding of programs', () => {
    const textRuns = [
      textRunOf('a line of words that goes on to stand out of its frame', 50, 100),
      textRunOf('and ends', 50, 112),
    ]
    const p = inGaramond(textRuns)
    expect(p.lines).toBe(2)
    expect(frame.x1 - p.right - (textRuns[0]?.box.x1 ?? 0)).toBeGreaterThan(2)
  })
})

/** How many lines a word processor makes of words as wide as these. */
function linesAt(widths: readonly number[], spread: number): number {
  let count = 1
  let used = 0
  let spaces = 0
  for (const width of widths) {
    const wide = width + 4 * spread
    const gap = used > 0 ? 2.5 + spread : 0
    if (used > 0 && used + gap + wide > 200 + 0.2 * (spaces + gap)) {
      count++
      used = wide
      spaces = 0
    } else {
      used += gap + wide
      spaces += gap
    }
  }
  return count
}

describe('space', () => {
  it('lies below the lines of text that is set wide, and is cut off above where it is set close', () => {
    const at = (pitch: number | undefined, y: number): Paragraph =>
      textOf('text', { pitch, firstBaseline: y, lastBaseline: y })
    const gap = (a: number | undefined, b: number | undefined): number =>
      measureGaps([at(a, 100), at(b, 140)], undefined)[1]?.before ?? 0
    expect(gap(undefined, undefined)).toBeCloseTo(40 - natural.height)
    expect(gap(natural.height + 6, undefined)).toBeCloseTo(40 - natural.height - 6)
    expect(gap(undefined, natural.height + 6)).toBeCloseTo(40 - natural.height)
    expect(gap(undefined, natural.height - 2)).toBeCloseTo(40 - natural.height + 2)
  })

  it('what is pushed down leaves less space to the next block', () => {
    const at = (y: number): Paragraph => textOf('text', { firstBaseline: y, lastBaseline: y })
    const gaps = measureGaps([at(100), at(100 + natural.height - 3), at(140)], undefined).map((b) => b.before)
    expect(gaps[1]).toBe(0)
    expect(gaps.reduce((a, b) => a + b) + 2 * natural.height).toBeCloseTo(40)
  })

  it('single lines take the usual distance out of the space below them', () => {
    const many = textOf('many lines', { pitch: 15, lines: 3 })
    const [, single, next] = settlePitch([
      many,
      textOf('single'),
      textOf('next', { before: 10 }),
    ]) as Paragraph[]
    expect(single?.pitch).toBe(15)
    expect(next?.before).toBeCloseTo(10 - (15 - natural.height))
  })

  it('lines of East Asian text and of signs name their distance, since the fonts that stand in differ by half', () => {
    expect(exactPitch(textOf('本文書', { pitch: 16 }))).toEqual({ pitch: 16, below: 3.2 })
    expect(exactPitch(textOf('❏ Complete', { pitch: 13 }))?.pitch).toBe(13)
    expect(exactPitch(textOf('text', { pitch: 16 }))).toBeUndefined()
    expect(exactPitch(textOf('▪ item', { pitch: 16, label: '▪' }))).toBeUndefined()
  })
})

describe('rows', () => {
  const cellOf = (column: number, lines: number, vertical: Cell['vertical']): Cell => ({
    ...{
      column,
      columnSpan: 1,
      rowSpan: 1,
      continued: false,
      fill: undefined,
      borders: {},
      turn: 0,
      vertical,
    },
    padding: { left: 0, right: 0 },
    blocks: [textOf('text', { lines })],
  })

  it('are as tall as the content of their fullest cell', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 })
    const side = fc.constantFrom('top' as const, 'center' as const, 'bottom' as const)
    fc.assert(
      fc.property(counts, side, fc.float({ min: 0, max: 30, noNaN: true }), (lines, vertical, more) => {
        const cells = lines.map((count, i) => cellOf(i, count, vertical))
        const height = Math.max(...lines) * natural.height + more
        const rooms = cells.map((cell) => ({ cell, height, above: more / 3 }))
        fillRows([{ height, header: false, cells }], rooms)
        const heights = cells.map(({ blocks: [p] }) =>
          p?.kind === 'paragraph' ? p.before + p.lines * natural.height + p.after : 0,
        )
        expect(Math.max(...heights)).toBeCloseTo(height)
      }),
    )
  })
})

describe('frames and rules', () => {
  const barOf = (...textRuns: TextRun[]) => {
    const cellBox = { x0: 50, x1: 300, y0: 85, y1: 88 + 14 * textRuns.length }
    const cell = {
      ...{ row: 0, column: 0, rowSpan: 1, columnSpan: 1, box: cellBox, textRuns, pictures: [], tables: [] },
      ...{ fill: '1f3864', borders: {} },
    }
    const table = {
      box: cellBox,
      xs: [50, 300],
      ys: [85, cellBox.y1],
      cells: [cell],
      headerRows: 0,
      ruled: true,
    }
    return blocksOf([{ box: cellBox, table }], textRuns)
  }

  it('a bar of colour behind one paragraph belongs to it', () => {
    const [block] = barOf(textRunOf('Summary of results', 60, 97))
    expect(block).toMatchObject({ kind: 'paragraph', text: 'Summary of results', fill: '1f3864' })
    expect((block as Paragraph).left).toBeCloseTo(10)
    expect(measureGaps([block as Paragraph], 80)[0]?.before).toBeCloseTo(4.5)
  })

  it('one around several paragraphs stays a table', () => {
    const textRuns = [textRunOf('One ends here.', 60, 97), textRunOf('Another one begins.', 60, 111)]
    expect(barOf(...textRuns).map((b) => b.kind)).toEqual(['table'])
  })

  it('what parts running lines from the text is no border of the text', () => {
    const rule = (at: number) => ({
      horizontal: true,
      at,
      from: 50,
      to: 300,
      thickness: 1,
      color: '000000',
      weak: false,
    })
    const rules = [rule(58), rule(200), rule(760)]
    const kept = textRules(rules, [{ baseline: 50, size: 9 }], [{ baseline: 775, size: 9 }])
    expect(kept.map((r) => r.at)).toEqual([200])
    expect(textRules(rules, [], [])).toHaveLength(3)
  })
})
