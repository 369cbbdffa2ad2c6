import { expect, it } from 'vitest'
import type { TextRun } from '../lines/line.ts'
import { plainFont, plainStyle, textRunOf } from '../lines/test-text-runs.ts'
import { withoutLineNumbers } from './line-numbers.ts'

const numbered = (texts: readonly string[], x = 80): TextRun[] =>
  texts.flatMap((text, i) => [
    textRunOf(`${i + 1}`, 50, 100 + 20 * i),
    ...(text ? [textRunOf(text, x, 100 + 20 * i)] : []),
  ])
const texts = (textRuns: readonly TextRun[]): string[] => textRuns.map((p) => p.text)

const prose = Array.from({ length: 12 }, (_, i) =>
  i % 4 === 0 ? '' : 'and the words of this line go on to the end of it',
)

it('numbers before lines of running text are removed, also before empty lines', () => {
  expect(texts(withoutLineNumbers(numbered(prose), false))).toEqual(prose.filter((t) => t))
})

it('numbers in a table and in a list stay', () => {
  const years = numbered(
    prose.map(() => 'years'),
    60,
  )
  const cells = years.flatMap((p) =>
    p.text === 'years' ? [p, textRunOf('3,269,557', 200, p.baseline)] : [p],
  )
  const items = numbered(prose.map((_, i) => `Name ${i}`))
  for (const rows of [years, cells, items]) expect(withoutLineNumbers(rows, true)).toHaveLength(rows.length)
})

it('numbers before code are removed, unless everything is in a monospaced font', () => {
  const font = { ...plainFont, mono: true }
  const lines = ['int main()', '{', 'return 0;', '}', ''].map((code, i) => {
    const text = `${i + 1} ${code}`.trim()
    const spans = [{ text, style: { ...plainStyle, font } }]
    return { ...textRunOf(text, 50, 100 + 12 * i), font, spans }
  })
  expect(texts(withoutLineNumbers(lines, true))).toEqual(['int main()', '{', 'return 0;', '}'])
  expect(withoutLineNumbers(lines, false)).toHaveLength(5)
})
