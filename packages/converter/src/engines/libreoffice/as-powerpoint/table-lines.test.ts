import { describe, expect, test } from 'vitest'
import { change, changedParts } from './test/change-deck.ts'

describe('lines of tables', () => {
  const spacing = (points: number) => `<a:lnSpc><a:spcPts val="${points}"/></a:lnSpc>`
  const cell = (paragraph: string) => `<a:tc><a:txBody>${paragraph}</a:txBody></a:tc>`
  const set = (paragraph: string, attributes = '') =>
    change([cell(paragraph)], attributes, '').get('ppt/slides/slide1.xml')
  const run = (size = '') => `<a:r><a:rPr lang="de-DE"${size}/><a:t>x</a:t></a:r>`

  test('are 1.2 times as high as the largest letters, by the share of their spacing', () => {
    expect(set(`<a:p>${run(' sz="950"')}<a:br/></a:p>`)).toBe(
      cell(`<a:p><a:pPr>${spacing(2160)}</a:pPr>${run(' sz="950"')}<a:br/></a:p>`),
    )
    for (const [before, after] of [
      ['<a:pPr algn="r"/>', `<a:pPr algn="r">${spacing(1140)}</a:pPr>`],
      ['<a:pPr><a:spcBef/></a:pPr>', `<a:pPr>${spacing(1140)}<a:spcBef/></a:pPr>`],
      ...['80000', '80%'].map((share) => [
        `<a:pPr><a:lnSpc><a:spcPct val="${share}"/></a:lnSpc></a:pPr>`,
        `<a:pPr>${spacing(912)}</a:pPr>`,
      ]),
    ])
      expect(set(`<a:p>${before}${run(' sz="950"')}</a:p>`)).toBe(
        cell(`<a:p>${after}${run(' sz="950"')}</a:p>`),
      )
  })

  test('without a size get the size of the deck, and empty ones that of their end', () => {
    const deck = new Map([
      ['ppt/slides/slide1.xml', cell(`<a:p><a:pPr lvl="1"/>${run()}</a:p>`)],
      [
        'ppt/presentation.xml',
        '<p:presentation><p:defaultTextStyle><a:lvl1pPr><a:defRPr sz="1000"/></a:lvl1pPr>' +
          '<a:lvl2pPr><a:defRPr lang="x" sz="2000"/></a:lvl2pPr></p:defaultTextStyle></p:presentation>',
      ],
    ])
    expect(changedParts(deck).get('ppt/slides/slide1.xml')).toContain(spacing(2400))
    expect(set('<a:p><a:endParaRPr sz="1500"/></a:p>')).toContain(spacing(1800))
  })

  test('are set in a paragraph of any number of runs', () => {
    const runs = (run(' sz="900"') + run(' sz="950"')).repeat(75_000)
    expect(set(`<a:p>${runs}</a:p>`)).toBe(cell(`<a:p><a:pPr>${spacing(1140)}</a:pPr>${runs}</a:p>`))
  })

  test('stay where they are given in points, and outside of tables', () => {
    const inPoints = `<a:p><a:pPr>${spacing(1000)}</a:pPr>${run()}</a:p>`
    expect(set(inPoints)).toBeUndefined()
    expect(change([`<a:p>${run()}</a:p>`], '', '').size).toBe(0)
  })
})
