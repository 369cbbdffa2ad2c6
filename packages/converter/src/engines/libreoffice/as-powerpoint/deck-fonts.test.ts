import { expect, test } from 'vitest'
import { readDeckFonts } from './deck-fonts.ts'

const read = (xml: string) => readDeckFonts(new Map([['ppt/slides/slide1.xml', xml]]))

test('fonts with serifs and of one width are known by their class', () => {
  const fonts = read(
    '<a:latin typeface="Lora" pitchFamily="18"/><a:latin typeface="Fira Code" pitchFamily="49"/>' +
      '<a:cs typeface="Slab" panose="02060503020202020204" pitchFamily="2"/>',
  )
  expect(fonts).toEqual([
    { name: 'Lora', family: 'Liberation Serif' },
    { name: 'Fira Code', family: 'Liberation Mono' },
    { name: 'Slab', family: 'Liberation Serif' },
  ])
})

test('others are left to the rules of all documents', () => {
  expect(
    read(
      '<a:latin typeface="Exo 2" panose="00000500000000000000" pitchFamily="2"/>' +
        '<a:latin typeface="Lato" panose="020F0502020204030203" pitchFamily="34"/><a:latin typeface="+mn-lt"/>',
    ),
  ).toEqual([])
})
