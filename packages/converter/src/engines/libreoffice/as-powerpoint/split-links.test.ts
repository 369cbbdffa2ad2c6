import { describe, expect, test } from 'vitest'
import { change } from './test/change-deck.ts'

describe('links of several words', () => {
  const click = '<a:hlinkClick r:id="rId2"/>'
  const run = (text: string, inner = click, attributes = '') =>
    `<a:r><a:rPr lang="en-GB"${attributes}>${inner}</a:rPr><a:t>${text}</a:t></a:r>`
  const split = (slide: string, deck = '') => change([slide], deck, '').get('ppt/slides/slide1.xml')
  const underlined = ' u="sng"'
  const hlink = '<a:solidFill><a:schemeClr val="hlink"/></a:solidFill>'

  test('become a link for each word, with underlined text between them', () => {
    expect(split(run('read &amp; write'))).toBe(
      run('read') + run(' ', hlink, underlined) + run('&amp;') + run(' ', hlink, underlined) + run('write'),
    )
    expect(split(run('one '))).toBe(run('one') + run(' ', hlink, underlined))
    expect(split(run(' one two', `<a:ln w="1"></a:ln><a:latin typeface="Arial"/>${click}`))).toContain(
      run(' ', `<a:ln w="1"></a:ln>${hlink}<a:latin typeface="Arial"/>`, underlined),
    )
  })

  test('keep their own colour and line', () => {
    const red = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'
    expect(split(run('one two', red + click, ' u="dbl"'))).toBe(
      run('one', red + click, ' u="dbl"') + run(' ', red, ' u="dbl"') + run('two', red + click, ' u="dbl"'),
    )
  })

  test('stay whole where words are set from right to left, and where they are too many', () => {
    const twoWords = `<a:p>${run('one two')}</a:p>`
    expect(split(twoWords)).toBeDefined()
    expect(split(twoWords, ' rtl="1"')).toBeUndefined()
    expect(split(`<a:p><a:pPr rtl="true"/></a:p>${twoWords}`)).toBeUndefined()
    expect(split(run('שתי מילים'))).toBeUndefined()
    expect(split(run('a '.repeat(1_000_000)))).toBeUndefined()
    expect(split(run('one') + run('one two', ''))).toBeUndefined()
  })
})
