import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { pptx, tableOf, textBox } from '@kiln/test-support/deck.ts'
import { type DocxOptions, docxWith, openDocument } from '@kiln/test-support/documents.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { describe, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

// Documents that name Microsoft's fonts, converted for real and measured from outside. The widths are those that
// Word wrote into its PDFs, in thousandths of an em.

const run = promisify(execFile)

const paragraph = (font: string, text: string) =>
  `<w:p><w:r><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="${font}"/><w:sz w:val="100"/></w:rPr><w:t>${text}</w:t></w:r></w:p>`

const words = [
  ['Aptos', 'name', 551.3 + 531.2 + 853 + 526.9],
  ['Cambria', 'oooo', 4 * 531],
  ['Consolas', 'width', 5 * 549.8],
  ['Segoe UI', 'wind', 723 + 242 + 566 + 589],
  ['Verdana', 'Text', 615.7 + 595.7 + 591.8 + 394],
  ['Malgun Gothic', '한국어', 3 * 1000],
  // Half of an East Asian character.
  ['MS Gothic', 'Mill', 4 * 500],
  // Missing families are replaced by the font of their class: Arial, Times New Roman, Courier New.
  ['Josefin Sans', 'bold', 556 + 556 + 222 + 556],
  ['Merriweather', 'lore', 278 + 500 + 333 + 444],
  ['Fira Code', 'type', 4 * 600],
  // The font table has more than the name: an alternative, or the class.
  ['Unheard', 'pink', 556 + 222 + 556 + 500],
  ['Unseen', 'wide', 723 + 242 + 589 + 523],
] as const

const fontTable =
  '<w:fonts xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:font w:name="Unheard">' +
  '<w:family w:val="swiss"/></w:font><w:font w:name="Unseen"><w:altName w:val="Segoe UI"/></w:font></w:fonts>'

// Arial's own lines are 1.15 em high.
const item = paragraph('Arial', 'item').replace(
  '<w:p>',
  '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:rPr><w:sz w:val="100"/></w:rPr></w:pPr>',
)
const list = item.replace('<w:pPr>', '<w:pPr><w:pageBreakBefore/>') + item
const withBullet: DocxOptions = {
  relationships: [{ id: 'n1', type: 'numbering', target: 'numbering.xml' }],
  entries: [
    { name: 'word/fontTable.xml', content: fontTable },
    {
      name: 'word/numbering.xml',
      content:
        '<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="0">' +
        '<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="❏"/></w:lvl></w:abstractNum>' +
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>',
    },
  ],
}

const describeFonts = (options?: { waiting: number }) => {
  const kiln = useTestConverter(options)

  const wordsOf = async (body: string, options: DocxOptions = {}) =>
    wordsIn(await kiln.convert(docxWith(body, options), 'docx', 'pdf'))

  const wordsIn = async (path: string) => {
    const { stdout } = await run('pdftotext', ['-bbox', path, '-'])
    const pattern = /<word xMin="([\d.]+)" yMin="([-\d.]+)" xMax="([\d.]+)".*?>(.*?)<\/word>/g
    return [...stdout.matchAll(pattern)].map(([, left, top, right, text]) => ({
      text,
      top: Number(top),
      width: Number(right) - Number(left),
    }))
  }

  test('words are as wide as in Word', async () => {
    const found = await wordsOf(
      words.map(([font, text]) => paragraph(font, text)).join('') + list,
      withBullet,
    )
    for (const [font, text, thousandths] of words) {
      const width = found.find((word) => word.text === text)?.width ?? 0
      expect(Math.abs(width / 50 - thousandths / 1000), font).toBeLessThan(0.01)
    }
    const [first, second] = found.filter((word) => word.text === 'item').map(({ top }) => top)
    // The ascent of Segoe UI Symbol and the descent of Arial.
    expect(((second ?? 0) - (first ?? 0)) / 50, 'a bullet raises its line').toBeCloseTo(1.0791 + 0.2119, 2)
  })

  test('symbols are black, and emoji in colour', async () => {
    const fontsOf = async (font: string, text: string) => {
      const path = await kiln.convert(docxWith(paragraph(font, text)), 'docx', 'pdf')
      return (await run('pdffonts', [path])).stdout
    }
    for (const font of ['Calibri', 'MS Gothic', 'Segoe UI Emoji'])
      expect(await fontsOf(font, '☑ text ✔ ⚠ ❤'), font).not.toContain('Type 3')
    expect(await fontsOf('Calibri', '✅'), 'of emoji').toContain('Type 3')
    expect(await fontsOf('Calibri', '1\ufe0f\u20e3'), 'of keycaps').toContain('Type 3')
    expect(await fontsOf('Segoe UI Emoji', 'text')).toContain('KilnSans6Regular')
  })

  test('lines of an East Asian font are 1.3 times as high as its box', async () => {
    const found = await wordsOf(paragraph('Malgun Gothic', '한글').repeat(3))
    expect(found).toHaveLength(3)
    const height = (found[2]?.top ?? 0) - (found[1]?.top ?? 0)
    expect(height / 50).toBeCloseTo(1.3 * (1.0884 + 0.2417), 1)
  })

  test.each(['Times', 'Helvetica'])(
    'lines in %s are as high as in the font that Windows takes',
    async (font) => {
      const found = await wordsOf(paragraph(font, 'line').repeat(3))
      const height = (found[2]?.top ?? 0) - (found[1]?.top ?? 0)
      expect(height / 50).toBeCloseTo(1.149, 2)
    },
  )

  test('decks are in the font of their language, with nothing between scripts, at their height, and count as they say', async () => {
    const text = (attributes: string, shown: string, font = '') =>
      `<a:p><a:r><a:rPr ${attributes} sz="5000">${font}</a:rPr><a:t>${shown}</a:t></a:r></a:p>`
    const arial = '<a:latin typeface="Arial"/>'
    const number = '<a:p><a:fld id="{1}" type="slidenum"><a:rPr lang="en-US"/><a:t>0</a:t></a:fld></a:p>'
    const slide =
      text('lang="ko-KR"', '한국어') +
      text('lang="ko-KR"', '한국o한국') +
      text('lang="en-US"', 'oooo', '<a:latin typeface="+mn-ea"/>') +
      text('lang="en-US"', 'mmmm', '<a:latin typeface="No Such Font"/>')
    const tight = (shown: string) =>
      text('lang="en-US"', shown, arial).replace(
        '<a:p>',
        '<a:p><a:pPr><a:lnSpc><a:spcPct val="90000"/></a:lnSpc></a:pPr>',
      )
    const shrunk = textBox(
      `${tight('shrunk')}<a:p><a:endParaRPr lang="en-US" sz="5000"/></a:p>${tight('below')}`,
      '<a:bodyPr><a:normAutofit fontScale="50000" lnSpcReduction="10000"/></a:bodyPr>',
    )
    const cells = tableOf(text('lang="en-US"', 'upper', arial) + text('lang="en-US"', 'lower', arial))
    const found = await wordsIn(
      await kiln.convert(
        pptx([`${slide}${number}`, `${text('lang="en-US"', 'first', arial)}${number}`, shrunk, cells], {
          firstNumber: 70,
        }),
        'pptx',
        'pdf',
      ),
    )
    const widthOf = (wanted: string) => (found.find((word) => word.text === wanted)?.width ?? 0) / 50
    expect(widthOf('한국어')).toBeCloseTo(3, 1)
    expect(widthOf('oooo'), 'in Malgun Gothic, as they ask').toBeCloseTo(4 * 0.599, 1)
    expect(widthOf('mmmm'), 'as wide as in Calibri').toBeCloseTo(4 * 0.799, 1)
    expect(widthOf('한국o한국')).toBeCloseTo(4.527, 1)
    // The word's box begins the ascent of Arial above the baseline, and text 3.6 pt below the top of its box.
    const baseline = (found.find(({ text }) => text === 'first')?.top ?? 0) + 0.905 * 50
    // The share of Arial's ascent in a line of 1.2 em.
    const ascent = (1.2 * 0.905) / (0.905 + 0.212)
    expect((baseline - 3.6) / 50).toBeCloseTo(ascent, 2)
    const [above, below] = ['shrunk', 'below'].map((wanted) => found.find(({ text }) => text === wanted))
    expect((above?.width ?? 0) / 25, 'at half of its size').toBeCloseTo(
      0.5 + 0.556 + 0.333 + 0.556 + 0.556 + 0.5,
      1,
    )
    expect(((above?.top ?? 0) + 0.905 * 25 - 3.6) / 25, 'below single spacing').toBeCloseTo(
      0.967 * ascent * 0.8,
      2,
    )
    expect(((below?.top ?? 0) - (above?.top ?? 0)) / 25, 'an empty line too').toBeCloseTo(
      1.2 * 0.8 + 1.2 * 0.9,
      2,
    )
    const [upper, lower] = ['upper', 'lower'].map((wanted) => found.find(({ text }) => text === wanted))
    expect(((lower?.top ?? 0) - (upper?.top ?? 0)) / 50, 'lines of a table').toBeCloseTo(1.2, 2)
    expect(found.map((word) => word.text).filter((shown) => /^\d+$/.test(shown ?? ''))).toEqual(['70', '71'])
  })

  test('letters in decks are moved together from 12 points on, not in tables, and in scripts from the right always', async () => {
    const text = (size: number, paragraph = '') =>
      `<a:p>${paragraph}<a:r><a:rPr lang="en-US" sz="${size * 100}"><a:latin typeface="Arial"/></a:rPr><a:t>AVAVAV</a:t></a:r></a:p>`
    const widths = async (slides: readonly string[]) =>
      (await wordsIn(await kiln.convert(pptx(slides), 'pptx', 'pdf'))).map(({ width }) => width)
    const plain = 6 * 0.667
    const kerned = plain - 5 * 0.074
    const [small = 0, large = 0] = await widths([text(11), text(20)])
    expect(small / 11).toBeCloseTo(plain, 1)
    expect(large / 20).toBeCloseTo(kerned, 1)
    const [inTable = 0] = await widths([tableOf(text(20))])
    expect(inTable / 20).toBeCloseTo(plain, 1)
    const [fromRight = 0] = await widths([text(11, '<a:pPr rtl="1"/>')])
    expect(fromRight / 11).toBeCloseTo(kerned, 1)
  })

  test("other programs' documents get the font's own height", async () => {
    const before =
      '<office:automatic-styles><style:style style:name="K" style:family="paragraph"><style:text-properties ' +
      'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" ' +
      'fo:font-family="\'Malgun Gothic\'" fo:font-size="50pt"/></style:style></office:automatic-styles>'
    const body = '<text:p text:style-name="K">ABC</text:p>'
    const path = await kiln.convert(openDocument('text', body, { before }), 'odt', 'pdf')
    const { stdout } = await run('pdffonts', [path])
    expect(stdout).toContain('KilnHangul1Regular')
  })
}

describe('warm', () => describeFonts())
describe('cold', { tags: 'slow' }, () => describeFonts({ waiting: 0 }))
