import { expect, it } from 'vitest'
import { hasOwnLetters, likelyLanguages } from './languages.ts'

const latin = [
  'eng',
  'deu',
  'fra',
  'spa',
  'ita',
  'por',
  'nld',
  'pol',
  'ces',
  'tur',
  'vie',
  'ind',
  'swe',
  'ron',
]

it('takes languages of which the pairs of letters are frequent, without diacritics and frequent words', () => {
  const countries: readonly (readonly [language: string, names: string])[] = [
    [
      'pol',
      'Niemcy Francja Hiszpania Wlochy Szwajcaria Wegry Czechy Slowacja Rzeczpospolita Zjednoczone Krolestwo',
    ],
    ['vie', 'Nhat Ban Trung Quoc Phap Hoa Ky Han Quoc Thai Lan Tay Ban Nha Bo Dao Nha Thuy Si Ha Lan Ba Lan'],
    [
      'por',
      'Paises Baixos Franca Ucrania Polonia Vietna Italia Turquia Alemanha Espanha Noruega Grecia Suecia',
    ],
    [
      'ita',
      'Messico Vietnam Paesi Bassi Turchia Svezia Portogallo Grecia Thailandia Brasile Canada Germania',
    ],
    [
      'nld',
      'Israel Rusland Frankrijk Brazilie Zuid-Korea Tsjechie Australie Duitsland Nederland Griekenland',
    ],
    [
      'deu',
      'Deutschland Frankreich Spanien Italien Schweiz Ungarn Tschechien Slowakei Vereinigtes Konigreich',
    ],
  ]
  for (const [language, names] of countries) {
    const likely = likelyLanguages([names], latin)
    expect(likely).toContain(language)
    expect(likely.length).toBeLessThan(latin.length / 3)
  }
})

it('excludes no language of which the letters are unknown', () => {
  expect(likelyLanguages(['Україна', 'Польща'], ['rus', 'ukr', 'bul'])).toEqual(['rus', 'ukr', 'bul'])
})

it('knows Japanese and Korean by letters that Chinese does not have', () => {
  expect(hasOwnLetters(['粘土を窯で焼く'], 'jpn')).toBe(true)
  expect(hasOwnLetters(['가마에서 구운'], 'kor')).toBe(true)
  expect(hasOwnLetters(['陶工把碗和盘子放在窑里过了一夜の'], 'jpn')).toBe(false)
  expect(hasOwnLetters(['粘土を窯で焼く'], 'chi_sim')).toBe(false)
  expect(hasOwnLetters([], 'jpn')).toBe(false)
})
