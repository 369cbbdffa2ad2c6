import { expect, test } from 'vitest'
import { change } from './test/change-deck.ts'

const slide = (spacing: string) => `<p:sld><a:pPr>${spacing}</a:pPr></p:sld>`

test('space around a paragraph is a share of a line of 1.2 em', () => {
  const changed = change([
    slide('<a:spcBef><a:spcPct val="20000"/></a:spcBef><a:spcAft><a:spcPct val="50%"/></a:spcAft>'),
  ])
  expect(changed.get('ppt/slides/slide1.xml')).toBe(
    slide('<a:spcBef><a:spcPct val="24000"/></a:spcBef><a:spcAft><a:spcPct val="60000"/></a:spcAft>'),
  )
})

test('the spacing of lines and spaces in points stay', () => {
  const same = slide('<a:lnSpc><a:spcPct val="90000"/></a:lnSpc><a:spcBef><a:spcPts val="600"/></a:spcBef>')
  expect(change([same]).get('ppt/slides/slide1.xml')).toBeUndefined()
})
