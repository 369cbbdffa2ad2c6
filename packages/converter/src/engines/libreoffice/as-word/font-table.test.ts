import { expect, test } from 'vitest'
import { fontRules } from '../font-rules.ts'
import { readFontTable } from './font-table.ts'

const font = (name: string, content: string) => `<w:font w:name="${name}">${content}</w:font>`
const familiesOf = (content: string, name = 'Unheard') => {
  const rules = fontRules(readFontTable(`<w:fonts>${font(name, content)}</w:fonts>`))
  return Array.from(rules.matchAll(/mode="append"[^<>]*><string>([^<]*)</g), ([, family]) => family).reverse()
}

test.each([
  ['swiss', '<w:family w:val="swiss"/><w:pitch w:val="variable"/>', ['Liberation Sans']],
  ['roman', '<w:family w:val="roman"/><w:pitch w:val="variable"/>', ['Liberation Serif']],
  ['fixed pitch', '<w:family w:val="modern"/><w:pitch w:val="fixed"/>', ['Liberation Mono']],
  ['PANOSE', '<w:panose1 w:val="020B0503020203020204"/><w:family w:val="auto"/>', ['Liberation Sans']],
  ['PANOSE of a monospaced font', '<w:panose1 w:val="02070309020205020404"/>', ['Liberation Mono']],
  ['nothing', '<w:family w:val="auto"/>', ['Liberation Serif']],
  [
    'an alternative',
    '<w:altName w:val="Segoe UI"/><w:family w:val="roman"/>',
    ['Kiln Sans 6', 'Liberation Serif'],
  ],
  [
    'an alternative of the system',
    '<w:altName w:val="Arial"/><w:family w:val="swiss"/>',
    ['Liberation Sans', 'Liberation Sans'],
  ],
])('a missing font is replaced by %s', (_, content, families) => {
  expect(familiesOf(content)).toEqual(families)
})

test('a made-up class counts less than the name', () => {
  const madeUp = '<w:panose1 w:val="020B0604020202020204"/><w:family w:val="roman"/><w:notTrueType/>'
  expect(familiesOf(madeUp, 'Josefin Sans')).toEqual(['Liberation Sans'])
  expect(familiesOf(madeUp, 'Lobster')).toEqual(['Liberation Serif'])
})

test('no class for East Asian fonts, and nothing for symbols and embedded fonts', () => {
  expect(familiesOf('<w:charset w:val="80"/><w:family w:val="roman"/>')).toEqual([])
  expect(familiesOf('<w:altName w:val="MS Mincho"/><w:charset w:val="80"/>')).toEqual(['Kiln Kana 2 W'])
  expect(familiesOf('<w:charset w:val="02"/><w:family w:val="auto"/>')).toEqual([])
  expect(familiesOf('<w:family w:val="swiss"/><w:embedRegular r:id="rId1"/>')).toEqual([])
})

test('names are only names', () => {
  const rules = fontRules([
    { name: 'A&B<include>', family: 'Liberation Sans' },
    { name: 'line\nfeed', family: 'Liberation Sans' },
    { name: 'long'.repeat(100), family: 'Liberation Sans' },
  ])
  expect(rules).toContain('<string>A&amp;B&lt;include&gt;</string>')
  expect(rules.match(/<match/g)).toHaveLength(1)
})
