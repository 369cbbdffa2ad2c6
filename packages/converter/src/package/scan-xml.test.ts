import { describe, expect, test } from 'vitest'
import { NotWellFormed, scanXml } from './scan-xml.ts'

const tagsOf = (xml: string) => {
  const seen: string[] = []
  scanXml(xml, {
    open: ({ name, attributes, start, end }) =>
      seen.push(`${name} ${JSON.stringify(attributes)} ${xml.slice(start, end)}`),
    close: (start, end) => seen.push(xml.slice(start, end)),
  })
  return seen
}

describe('scanXml', () => {
  test('reports tags, with decoded attributes', () => {
    expect(tagsOf(`<?xml version='1.0'?>\n<a:b c = "1&#x20;&lt;\r\n2" d='"'><e/>😀&amp;</a:b\t>`)).toEqual([
      `a:b {"c":"1 < 2","d":"\\""} <a:b c = "1&#x20;&lt;\r\n2" d='"'>`,
      'e {} <e/>',
      '</a:b\t>',
    ])
  })

  test('reports repeated tags, and those with a > in a value', () => {
    const row = '<a b="123456789"><a b=">         "/><a b=">         ">'
    const tags = [
      'a {"b":"123456789"} <a b="123456789">',
      'a {"b":">         "} <a b=">         "/>',
      'a {"b":">         "} <a b=">         ">',
    ]
    const seen = tagsOf(`<r>${row}</a></a>${row}</a></a></r>`)
    expect(seen.filter((tag) => tag.startsWith('a'))).toEqual([...tags, ...tags])
    expect(() => tagsOf('<r><a b="123456789"/><a b="123456789"c=""/></r>')).toThrow(NotWellFormed)
  })

  test('skips comments, sections, instructions and the document type', () => {
    const xml = '<!DOCTYPE a PUBLIC "b" "c"><!--<d>--><a><![CDATA[<e>]]]><?f <g>?></a><!-- -->'
    expect(tagsOf(xml.replace(']]]>', ']]>'))).toEqual(['a {} <a>', '</a>'])
  })

  test.each([
    ['', 'text', '<a/>text', '<a/><b/>', '</a>', '<a></b>', '<a>', '<a', '< a/>', '<1/>', '<a/ >'],
    ['<a b/>', '<a b=c/>', '<a b="/>', '<a b="<"/>', '<a b="1"c="2"/>', '<a b="1" b="2"/>', '<a b="&c;"/>'],
    ['<a>&b;</a>', '<a>&</a>', '<a>&#0;</a>', '<a>&#xD800;</a>', '<a>]]></a>', '<a>\0</a>', '<a>\ud800</a>'],
    ['<a><!-- -- --></a>', '<a><![CDATA[</a>', '<![CDATA[]]><a/>', '<a><?b</a>', '<a><!b></a>'],
    [
      '<!DOCTYPE a [<!ENTITY b "c">]><a/>',
      '<a><!DOCTYPE a></a>',
      ' <?xml version="1.0"?><a/>',
      '<?xml?><a/>',
    ],
  ])('%j and others are not well formed', (...texts) => {
    for (const text of texts) expect(() => tagsOf(text), text).toThrow(NotWellFormed)
  })

  test.each(['<a ', '<a b="&#32;" ', '<!--', '&lt;', '<a b=', '<?a'])(
    '%j many times takes linear time',
    (part) => {
      expect(() => tagsOf(`<a>${part.repeat(500_000)}`)).toThrow(NotWellFormed)
    },
  )
})
