import { expect, test } from 'vitest'
import { relationshipsIn } from './relationships.ts'

test.each([
  ['<Relationship Id="r1" Target="media/a.png"/>', { id: 'r1', target: 'word/media/a.png' }],
  [`<Relationship Target='/word/b.xml' Id = 'r2'/>`, { id: 'r2', target: 'word/b.xml' }],
  ['<p:Relationship Id="r3" Target="../c.xml"/>', { id: 'r3', target: 'c.xml' }],
  [`<Relationship Id="r4" TargetMode='External' Target="http://a.example"/>`, { id: 'r4', target: null }],
])('%s', (xml, relationship) => {
  expect(relationshipsIn(`<Relationships>${xml}</Relationships>`, 'word')).toEqual([relationship])
})
