import { describe, expect, it, test } from 'vitest'
import { plainFont, plainStyle, textRunOf } from '../lines/test-text-runs.ts'
import { type Block, emptyParagraph, type Paragraph, paragraphsOf } from './block.ts'
import { findCode, findFixed, fixedLines } from './code.ts'
import type { MergedLine } from './line-text.ts'
import { joinListings } from './listings.ts'

const style = (mono: boolean): Paragraph['runs'][number]['style'] => ({
  ...plainStyle,
  font: { ...plainFont, mono },
})

function text(words: string): Paragraph {
  const box = { x0: 0, y0: 0, x1: 1, y1: 1 }
  return { ...emptyParagraph(box, 0, undefined), text: words, runs: [{ text: words, style: style(false) }] }
}

function code(...lines: [column: number, text: string][]): Paragraph {
  const runs = lines.map(([, t]) => ({ text: t, style: style(true) }))
  return {
    ...text(''),
    text: lines.map(([, t]) => t).join(' '),
    runs,
    lines: lines.length,
    size: 10,
    code: lines.map(([column], i) => ({ column, runs: runs.slice(i, i + 1) })),
  }
}

/** A line of words at their places, each character 5.25 points wide. */
function fixed(x0: number, ...words: [text: string, x0: number][]): MergedLine {
  const boxed = words.map(([own, x]) => ({
    text: own,
    box: { x0: x, y0: 0, x1: x + 5.25 * own.length, y1: 10 },
  }))
  const whole = words.map(([own]) => own).join(' ')
  const line = {
    text: whole,
    size: 10,
    box: { x0, y0: 0, x1: boxed.at(-1)?.box.x1, y1: 10 },
    textRuns: [{ words: boxed }],
    runs: [{ text: whole, style: style(true) }],
  }
  return line as unknown as MergedLine
}

const listingsIn = (blocks: readonly Block[]): (string | undefined)[] =>
  [...joinListings(blocks)].map(({ listing }) => listing)

const prose = text('Running text that is much longer than the listing that stands below it on the page.')

test('single lines of code are code in a frame, but not in the cells of a table', () => {
  const table = (...cells: Block[][]): Block =>
    ({
      kind: 'table',
      columns: cells.map(() => 100),
      rows: [{ cells: cells.map((blocks) => ({ blocks })) }],
    }) as unknown as Block
  const kept = (block: Block): number =>
    [...paragraphsOf(findCode([block]))].filter((p) => p.code !== undefined).length
  expect(kept(table([code([0, 'port = 80']), code([0, 'host = "a"'])]))).toBe(2)
  expect(kept(table([code([0, 'port'])], [code([0, '80'])]))).toBe(0)
})

describe('code', () => {
  it('keeps lines and indents, and joins neighbours into one listing', () => {
    const given: Block[] = [
      prose,
      { ...code([4, 'if x:'], [8, 'go()']), pitch: 12, firstBaseline: 8, lastBaseline: 20 },
      { ...code([4, 'end']), firstBaseline: 44, lastBaseline: 44 },
    ]
    const blocks = findCode(given)
    expect(listingsIn(blocks)).toEqual([undefined, 'if x:\n    go()\n\nend'])
    expect((blocks[1] as Paragraph).text).toBe('if x:\n    go()')
  })

  it('sees a blank line between single lines, and steps of whole pixels as one pitch', () => {
    const at = (y: number, lines: number, pitch: number): Paragraph => ({
      ...code(...Array.from({ length: lines }, (): [number, string] => [0, 'go()'])),
      firstBaseline: y,
      lastBaseline: y + (lines - 1) * pitch,
      pitch: lines > 1 ? 13.5 : undefined,
    })
    expect(listingsIn([at(0, 1, 0), at(24, 1, 0)])).toEqual(['go()\n\ngo()'])
    // Its steps are 12.75 and 13.5 points: the second stands two of the mean below.
    expect(listingsIn([at(0, 5, 13.1), at(52.4 + 25.5, 2, 13.1)])).toHaveLength(1)
  })

  it('takes a document set in a font of fixed width for text', () => {
    const lines = code([0, 'All of the document looks like this'], [0, 'and none is code'])
    const blocks = findCode(findFixed([text('Title'), lines]))
    expect(listingsIn(blocks)[1]).toBeUndefined()
  })

  it('indents by no more than program text is, whatever size a file claims', () => {
    const textRuns = [textRunOf('go()', 500, 0)]
    const line = { ...textRuns[0], textRuns, size: 1e-9, runs: code([0, 'go()']).runs }
    expect(fixedLines([line as unknown as MergedLine], 50)?.[0]?.column).toBeLessThan(1000)
  })

  it('leaves headings and items of lists alone', () => {
    const blocks = findCode([prose, { ...code([0, 'make']), heading: 2 }])
    expect(listingsIn(blocks)[1]).toBeUndefined()
  })
  it('counts its indents in characters of its own font', () => {
    const lines = [fixed(50, ['for pot in kiln:', 50]), fixed(71, ['pot.fire(1200)', 71])]
    expect(fixedLines(lines, 50)?.map((l) => l.column)).toEqual([0, 4])
  })

  it('has as many spaces between words as were typed', () => {
    const [line] =
      fixedLines([fixed(50, ['25', 50], ['19', 71], ['*', 97.25]), fixed(50, ['get.pl', 50])], 50) ?? []
    expect(line?.runs.map((r) => r.text).join('')).toBe('25  19   *')
  })

  it('parts listings that stand further from each other than by blank lines', () => {
    const at = (y: number) => ({ ...code([0, `line ${y}`]), pitch: 12, firstBaseline: y, lastBaseline: y })
    const blocks = [at(12), at(24), at(60), at(82)]
    expect(listingsIn(blocks)).toEqual(['line 12\nline 24\n\n\nline 60', 'line 82'])
    const rounded = [at(12), at(24.75), at(37.5), at(50.25), at(75.75)]
    expect(listingsIn(rounded)).toEqual(['line 12\nline 24.75\nline 37.5\nline 50.25\n\nline 75.75'])
  })

  it('has no more blank lines than a page, however close a file sets its lines', () => {
    const at = (y: number) => ({ ...code([0, `line ${y}`]), pitch: 0.001, firstBaseline: y, lastBaseline: y })
    expect(listingsIn([at(12), at(700)])[0]?.length).toBeLessThan(100)
  })

  it('takes no dash or star before a line of fixed width for a bullet, but other bullets', () => {
    const labels = ['*', '-', '•'].map((label) => ({ ...code([0, `${label} go`]), label }))
    const blocks = findFixed([prose, ...labels]) as Paragraph[]
    expect(blocks.map((p) => p.label)).toEqual(['', '', '', '•'])
  })
})
