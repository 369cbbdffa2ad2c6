import { expect, test } from 'vitest'
import { isKnownLanguage, isLanguageClear, languageOf, languagesOfOthers } from './languages.ts'
import { confidenceInLanguage, isLegible, parseTsv, sureWords, turnsOf } from './words.ts'

const row = (text: string, left: number, width: number, confidence = 90): string =>
  ['5', '1', '1', '1', '1', '1', left, '0', width, '20', confidence, text].join('\t')
const read = (...rows: string[]) => parseTsv(['head', ...rows].join('\n'))

test('boxes that overlap end where the next word begins', () => {
  expect(read(row('one', 0, 50), row('two', 40, 30)).map((w) => [w.left, w.width])).toEqual([
    [0, 40],
    [40, 30],
  ])
})

test('boxes of words that are read from the right begin where the next word ends', () => {
  expect(read(row('שלום', 60, 40), row('עולם', 10, 60)).map((w) => [w.left, w.width])).toEqual([
    [70, 30],
    [10, 60],
  ])
})

test('ideographs are one word up to the next column, and share their confidence', () => {
  const words = read(
    row('十四', 0, 40, 96),
    row('日', 41, 20, 0),
    row('以内', 62, 40, 96),
    row('合計', 300, 40),
  )
  expect(words.map((w) => w.text)).toEqual(['十四日以内', '合計'])
  expect(words[0]?.confidence).toBeCloseTo(76.8)
  expect(sureWords(words)).toHaveLength(2)
})

test('closing punctuation before the ideographs of a line is a bullet', () => {
  const words = read(row('。', 0, 10), row('基础', 30, 40), row('。', 70, 10))
  expect(words.map((w) => w.text)).toEqual(['。', '基础。'])
})

test('a page of words that OCR is unsure of is in no script that it knows, unless a line is read well', () => {
  const unsure = ['FIFAPE', 'AAEFIF', 'ARMAAA'].map((text, i) => row(text, 60 * i, 50, 20))
  const caption = 'The potter left the kiln'.split(' ').map((text, i) => row(text, 60 * i, 50, 95))
  expect(isLegible(read(...unsure))).toBe(false)
  expect(isLegible(read(row('2024', 0, 50, 20)))).toBe(true)
  expect(isLegible(read(...unsure, ...unsure, ...caption.map((line) => line.replace('1', '2'))))).toBe(true)
})

test('a bar that ends on the baseline is the letter I', () => {
  const bar = (height: number) => ['5', '1', '1', '1', '1', '1', 60, '0', 3, height, 90, '|'].join('\t')
  expect(read(row('when', 0, 50), bar(20)).map((w) => w.text)).toEqual(['when', 'I'])
  expect(read(row('Home', 0, 50), bar(25)).map((w) => w.text)).toEqual(['Home', '|'])
  expect(read(row('page', 0, 50), bar(20)).map((w) => w.text)).toEqual(['page', '|'])
  expect(read(row('mean', 0, 50), bar(20)).map((w) => w.text)).toEqual(['mean', '|'])
})

test('words with spaces stay apart', () => {
  expect(read(row('A1', 0, 20), row('皿', 22, 20), row('B2', 44, 20))).toHaveLength(3)
})

test('words with diacritics of another language are not its frequent words', () => {
  const words = 'An Thé Phan Lan An Thé Phan Lan'.split(' ')
  expect(isLanguageClear(words, ['eng', 'vie'])).toBe(false)
  expect(languageOf('và cua có được'.split(' '), 'eng', ['eng', 'vie'])).toBe('vie')
})

test('numbers show no language, however well they are read', () => {
  const words = read(row('TloA@via', 0, 50, 40), row('97531', 60, 40, 96), row('13810', 110, 40, 96))
  expect(confidenceInLanguage(words)).toBe(40)
  expect(confidenceInLanguage(read(row('105', 0, 30, 96)))).toBe(0)
})

const candidates = ['eng', 'deu', 'fra', 'pol', 'vie']
test.each([
  ['deu', 'Der Topfer stellte die Schiisseln iber Nacht in den Ofen und wartete mit dem Brot auf'],
  ['fra', 'Le potier a laisse refroidir le four pendant la nuit, puis il est dans les pieces et la porte'],
  ['pol', 'Garncarz zostawit naczynia w piecu na cata noc, a rano sie nie otworzyt i do sasiadow'],
  ['eng', 'Bowl 12 Plate 13 Cup 14'],
])('words that were read as English are recognised as %s', (language, text) => {
  expect(languageOf(text.split(' '), 'eng', candidates)).toBe(language)
})

test('words that run down or up the page show how it is turned', () => {
  const word = (text: string, top: number, width: number, height: number) => ({
    ...{ text, top, width, height, left: 0, line: '1', confidence: 90 },
  })
  expect(turnsOf([word('Der', 0, 60, 20), word('Ofen', 0, 80, 20)])).toBe(0)
  expect(turnsOf([word('Der', 100, 20, 60), word('Ofen', 200, 20, 80)])).toBe(3)
  expect(turnsOf([word('Der', 200, 20, 60), word('Ofen', 100, 20, 80)])).toBe(1)
  expect(turnsOf([word('縦書き', 0, 20, 60)])).toBe(0)
})

test('words that several languages share do not decide, and words end at an apostrophe', () => {
  const text =
    "que l'été commence à l'atelier, puis il a ouvert la porte d'un bleu léger, et les pièces gardent"
  expect(languageOf(text.split(' '), 'spa', ['eng', 'spa', 'fra', 'por'])).toBe('fra')
})

test('frequent words show that a text was read upright and in its script', () => {
  const latin = ['eng', 'deu', 'fra']
  expect(isKnownLanguage('the bowl of the potter is in the kiln and waits'.split(' '), latin)).toBe(true)
  expect(isKnownLanguage('KOITAcE KOVE AYYEIO KAI KPATNOE TA KAAUTEPA yid Tv AyOpa'.split(' '), latin)).toBe(
    false,
  )
})

test('a number beside the line of a table stays, however unsure; noise goes', () => {
  const words = read(row('|53,707.39', 0, 90, 0), row('ere', 100, 30, 13), row('7.', 140, 20, 16))
  expect(sureWords(words).map(({ text }) => text)).toEqual(['|53,707.39'])
})

test('letters of a script without spaces are joined to phrases; a space between phrases stays', () => {
  const letters = [...'ชาม'].map((text, i) => row(text, 20 * i, 14, 93))
  const next = [...'ใบ'].map((text, i) => row(text, 90 + 20 * i, 14, 93))
  expect(read(...letters, ...next).map(({ text }) => text)).toEqual(['ชาม', 'ใบ'])
})

test('words of one language make it clear, few words that several languages share do not', () => {
  const latin = ['eng', 'fra', 'ita']
  const isClear = (text: string) => isLanguageClear(text.split(' '), latin)
  expect(isClear('les pièces sont dans le four et elle est avec eux')).toBe(true)
  expect(isClear('la un e il in a')).toBe(false)
  expect(isLanguageClear(['whatever'], ['chi_sim', 'jpn'])).toBe(true)
})

test('a language of several scripts is tried once', () => {
  const others = languagesOfOthers(['eng', 'rus', 'jpn', 'kor'], ['Latin'])
  expect(others.map(({ language }) => language)).toEqual(['rus', 'jpn', 'kor'])
})
