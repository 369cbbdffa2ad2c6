import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requestedOmissions } from '../catalog/options/index.ts'
import type { Options } from '../catalog/options/option.ts'
import { type Pair, pairs } from '../catalog/pairs.ts'
import { countWords } from './count-words.ts'
import type { Findings } from './findings.ts'
import { createFindings } from './findings.ts'
import { makeReport } from './make-report.ts'
import { replacedFonts } from './replaced-fonts.ts'

const ran = { engine: 'libreoffice', milliseconds: 1234.5678, inputBytes: 10, outputBytes: 20, unwanted: [] }

describe('a report', () => {
  test('is short, plain and bounded, whatever a file and an engine say', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 200 })
    const anyCount = fc.oneof(fc.double(), fc.integer(), fc.constant(undefined))
    const anyFindings = fc.record({
      version: anyText,
      input: fc.record({ pages: anyCount, words: anyCount, seconds: fc.double() }),
      askedFonts: fc.array(anyText, { maxLength: 25 }),
      usedFonts: fc.array(anyText, { maxLength: 25 }),
      leftOut: fc.record({ macros: anyCount, subtitles: anyCount }),
      remarks: fc.array(anyText, { maxLength: 25 }),
      recognized: fc.record({
        pages: anyText,
        count: fc.integer(),
        languages: fc.array(anyText),
        confidence: fc.double(),
      }),
    })
    fc.assert(
      fc.property(anyFindings, (findings) => {
        const report = makeReport(findings as Findings, ran)
        const text = JSON.stringify(report)
        // JSON writes control characters and halves of characters as escapes; a name may hold quotes and backslashes.
        expect(text.replaceAll(/\\["\\]/g, '')).not.toContain('\\')
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u)
        expect(text.length).toBeLessThan(32_000)
        for (const { font } of report.fonts) expect([...font].length).toBeLessThanOrEqual(80)
        const lists = [report.fonts, report.leftOut, report.warnings]
        for (const list of lists) expect(list.length).toBeLessThanOrEqual(20)
        const counts = [report.input, report.output].flatMap((each) => Object.values(each))
        for (const count of counts)
          expect(count === null || (count >= 0 && Number.isFinite(count))).toBe(true)
      }),
      { numRuns: 20 },
    )
  })

  test('says how many entries a list had besides', () => {
    const askedFonts = Array.from({ length: 33 }, (_, index) => `Font ${index}`)
    const report = makeReport({ askedFonts, usedFonts: ['DejaVuSans'] }, ran)
    expect(report.fonts.length).toBe(20)
    expect(report.more.fonts).toBe(13)
    expect(report.warnings).toEqual([expect.stringMatching(/Font 0 by DejaVu Sans,.* and 28 more\)/)])
  })

  test('keeps what the steps noted: counts together, lists in their order', () => {
    const { note, all } = createFindings()
    note({ input: { words: 3 }, leftOut: { macros: 1 }, remarks: ['One.'] })
    note({ input: { pages: 2 }, output: { pages: 2 }, leftOut: { objects: 2 }, remarks: ['Two.'] })
    expect(makeReport(all, ran)).toMatchObject({
      seconds: 1.235,
      input: { bytes: 10, words: 3, pages: 2, pictures: null },
      leftOut: [
        { what: 'macros', count: 1 },
        { what: 'objects', count: 2 },
      ],
      warnings: [
        expect.stringContaining('macros'),
        expect.stringContaining('The content of 2 embedded objects'),
        'One.',
        'Two.',
      ],
    })
  })

  test('does not list as left out what the output has', () => {
    const { leftOut } = makeReport({ leftOut: { media: 2, objects: 1 }, kept: { media: 1, objects: 3 } }, ran)
    expect(leftOut).toEqual([{ what: 'media', count: 1 }])
  })

  test('does not warn of what an option leaves out', () => {
    const pair = pairs.find(({ slug }) => slug === 'mkv-to-mp4') as Pair
    const findings: Findings = { leftOut: { 'sound-tracks': 2, subtitles: 1 } }
    const warned = (options: Options) =>
      makeReport(findings, { ...ran, unwanted: requestedOmissions(pair, options) }).warnings
    expect(warned({ sound: false })).toEqual([expect.stringContaining('subtitle')])
    expect(warned({ sound: true }).length).toBe(2)
    expect(warned({}).length).toBe(2)
    expect(makeReport(findings, { ...ran, unwanted: ['subtitles'] }).leftOut.length).toBe(2)
  })
})

describe('replaced fonts', () => {
  const by = (asked: string[], used: string[]) =>
    replacedFonts(asked, used).map(({ font, by, widths }) => `${font}: ${by?.split(',')[0]}, ${widths}`)

  test.each<[what: string, asked: string[], used: string[], replaced: string[]]>([
    [
      'a substitute of the same widths',
      ['Calibri'],
      ['BAAAAA+KilnSans1Regular'],
      ['Calibri: Kiln Sans 1, same'],
    ],
    [
      'a font of the same class, where several fonts are in the output',
      ['Frutiger Zero', 'Another'],
      ['AAAAAA+LiberationSans', 'AAAAAA+DejaVuSerif'],
      ['Frutiger Zero: Liberation Sans, other', 'Another: undefined, other'],
    ],
    [
      'a substitute for Word’s lines',
      ['Malgun Gothic'],
      ['AAAAAA+KilnHangul1WBold'],
      ['Malgun Gothic: Kiln Hangul 1, near'],
    ],
    [
      'a free font of the same widths',
      ['arial'],
      ['BAAAAA+LiberationSans-Bold'],
      ['arial: Liberation Sans, same'],
    ],
    ['no names that we read', [], ['KilnSans1Regular', 'LiberationSerif'], ['Calibri: Kiln Sans 1, same']],
    ['a font that is there', ['DejaVu Sans', 'Noto Serif'], ['DejaVuSans', 'CAAAAA+NotoSerif-Bold'], []],
    [
      'a font that is unknown',
      ['Arial', 'Frutiger'],
      ['LiberationSans', 'DejaVuSans'],
      ['Frutiger: DejaVu Sans, other', 'Arial: Liberation Sans, same'],
    ],
    [
      'a font that is unknown, by the substitute for such',
      ['Calibri', 'Frutiger'],
      ['BAAAAA+KilnSans1Regular', 'CAAAAA+KilnSans0Bold'],
      ['Frutiger: Kiln Sans 0, other', 'Calibri: Kiln Sans 1, same'],
    ],
    [
      'several that is unknown',
      ['One', 'Two'],
      ['DejaVuSans', 'NotoSans'],
      ['One: undefined, other', 'Two: undefined, other'],
    ],
    [
      'a style that nothing uses',
      ['Calibri', 'Unused'],
      ['KilnSans1Regular'],
      ['Calibri: Kiln Sans 1, same'],
    ],
    [
      'a substitute that nothing uses',
      ['Calibri', 'Tahoma'],
      ['KilnSans1Regular', 'NotoSans'],
      ['Calibri: Kiln Sans 1, same'],
    ],
    [
      'Times',
      ['Times', 'Times New Roman'],
      ['NimbusRoman-Regular', 'LiberationSerif'],
      ['Times: Nimbus Roman, same', 'Times New Roman: Liberation Serif, same'],
    ],
    ['generic names', ['serif', 'system-ui'], ['NotoSerif'], []],
    ['an output without fonts', ['Calibri'], [], []],
  ])('%s', (_what, asked, used, replaced) => {
    expect(by(asked, used)).toEqual(replaced)
  })
})

test.each([
  ['One, two and three.', 4],
  ['  -  – * ', 0],
  ['l’homme d’État 3,14', 3],
  ['你好，世界', 4],
  ['漢字 and kana カナ', 6],
  ['שלום עולם', 2],
  ['', 0],
])('%j has so many words', (text, words) => {
  expect(countWords(text)).toBe(words)
})
