import { expect, test } from 'vitest'
import { editText, wordEdit } from './as-word.ts'

const position = (x: number, y: number) =>
  `<wp:positionH relativeFrom="column"><wp:posOffset>${x}</wp:posOffset></wp:positionH>` +
  `<wp:positionV relativeFrom="paragraph"><wp:posOffset>${y}</wp:posOffset></wp:positionV>`
const box = (
  rotation: string,
  [cx, cy]: readonly [number, number],
  at: string,
  text: string,
  shape = 'rect',
) =>
  `<w:document><wp:anchor>${at}<wp:extent cx="${cx}" cy="${cy}"/><a:graphic><a:graphicData><wps:wsp><wps:spPr>` +
  `<a:xfrm${rotation}><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="${shape}"/></wps:spPr>` +
  `<wps:txbx/><wps:bodyPr${text}/></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:document>`

const edited = (xml: string) => wordEdit.apply(new Map([['word/document.xml', xml]])).get('word/document.xml')

test.each([
  ['5400000', 'vert'],
  ['16200000', 'vert270'],
])(
  'a text box rotated by %s is drawn upright around the same centre, with vertical text',
  (angle, direction) => {
    const before = box(` rot="${angle}"`, [3000, 1000], position(500, 4000), '')
    expect(edited(before)).toBe(box('', [1000, 3000], position(1500, 3000), ` vert="${direction}"`))
  },
)

test.each([
  box(' rot="1800000"', [3000, 1000], position(0, 0), ''),
  box(' rot="5400000"', [3000, 1000], position(0, 0), ' vert="vert270"'),
  box(' rot="5400000"', [3000, 1000], position(0, 0), '', 'rightArrow'),
])('other shapes stay as they are', (xml) => {
  expect(edited(xml)).toBeUndefined()
  expect(editText(xml)).toBe(xml)
})
