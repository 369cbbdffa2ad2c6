// Detects the language of a page: the script limits the choice, and the most frequent words of each language decide.

import { alphabet, rarityOfPairs } from './letter-pairs.ts'

/** Languages by the script that tesseract's OSD reports. The first is the default if the words do not decide. */
const languagesByScript: Readonly<Record<string, readonly string[]>> = {
  Latin: ['eng', 'deu', 'fra', 'spa', 'ita', 'por', 'nld', 'pol', 'ces', 'tur', 'vie', 'ind', 'swe', 'ron'],
  Cyrillic: ['rus', 'ukr', 'bul'],
  Greek: ['ell'],
  Arabic: ['ara', 'fas', 'urd'],
  Hebrew: ['heb'],
  Devanagari: ['hin', 'mar', 'nep'],
  Bengali: ['ben'],
  Thai: ['tha'],
  // The detection confuses these three.
  Han: ['chi_sim', 'chi_tra', 'jpn', 'kor'],
  Japanese: ['jpn', 'chi_tra', 'chi_sim', 'kor'],
  Hiragana: ['jpn'],
  Katakana: ['jpn'],
  Korean: ['kor', 'chi_sim', 'chi_tra', 'jpn'],
  Hangul: ['kor', 'chi_sim', 'chi_tra', 'jpn'],
}

/** OSD reports blackletter as a separate script; models for Latin script read it best. */
const sameScript: Readonly<Record<string, string>> = { Fraktur: 'Latin' }

/** Short words that occur in every text of the language. Words that several languages share count for each. */
const frequentWords: Readonly<Record<string, string>> = {
  eng: 'the of and to in is was that for it with as his he be by on not this are from at have which an they who their',
  deu: 'der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er wird bei sind einer um nach wie über',
  fra: 'de la le et les des en un du une que est pour qui dans par plus pas au sur ne se ce il sont aux avec son mais comme ou cette été elle ses ils',
  spa: 'de la que el en y a los del se las por un para con no una su al lo como más pero sus le ya o este sí porque esta entre cuando muy sin sobre',
  ita: 'di e il la che in un a per è una del non sono da i si le con della lo al dei come nel più alla gli ha dal delle o ma anche era poi ogni',
  por: 'de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já até',
  nld: 'de van het een en in te dat is op voor met zijn die niet aan er om ook als bij uit naar dan hij maar door worden wordt over nog heeft waren werd',
  pol: 'w i na z do się nie że o jest to od po za przez jak ale dla są który oraz a co tym jego przy było lub już być tylko czy mu',
  ces: 'a v na se je s z do o že to k za pro ve by si ale jako po jsou od který být u při aby nebo tak jeho však která bylo mu',
  tur: 've bir bu da de için ile olarak daha olan çok o gibi en sonra kadar ama ne var değil her ise ki veya olduğu tarafından onu ona',
  vie: 'và của là có trong được cho một các với người đã không những khi này để ở đến ra vào năm về như từ còn cũng theo rồi ông',
  ind: 'yang dan di dari untuk dengan pada ini itu adalah dalam tidak ke oleh sebagai akan juga atau ia telah bisa para lebih kepada mereka',
  swe: 'och i att det som en på är av för med den till inte om ett har de var han från vid kan sig men så ut sin eller hade alla',
  ron: 'de și în a la cu o din pe că care nu un se este pentru mai ce sau au fost prin ale lui sunt ca după dar iar',
  rus: 'и в не на что с по как это к он из за от у же для так но его все о был она то бы было до если их или ему который них',
  ukr: 'і в на що з до не та у як за це від по його для й є про але був або щоб їх він вона було під після те який йому які',
  bul: 'на и да се в от за не по са с е като че това до при той или които си му беше към след има само те още ги',
  ara: 'في من على إلى أن التي الذي عن هذا هذه ما كان مع ثم لا كل قد بعد أو بين حتى',
  fas: 'و در به از که این را با است برای آن یک خود تا بر شد هم نیز می ها شده',
}

/** The language of 30 names of large countries is among this many in 99 of a hundred lists; with ten names, in 94. */
const maxLikely = 3

/** Fewer hits are not significant. */
const minHits = 4
/** The best language must have this many times the hits of the language that the page was read in. */
const minLead = 1.3

/** Words end at an apostrophe: `d'un`. */
const wordsIn = (texts: readonly string[]): string[] =>
  texts.flatMap(
    (text) =>
      text
        .toLowerCase()
        .replaceAll('i\u0307', 'i')
        .normalize('NFC')
        .match(/[\p{L}\p{M}]+/gu) ?? [],
  )

const withoutMarks = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('đ', 'd').replaceAll('ı', 'i').replaceAll('ł', 'l')

/** Reading a text in another language loses diacritics, and never adds any. */
const folded = new Map(
  Object.entries(frequentWords).map(([language, words]) => [
    language,
    new Set(wordsIn([words]).flatMap((word) => [word, withoutMarks(word)])),
  ]),
)
const sharedBy = new Map<string, number>()
for (const words of folded.values())
  for (const word of words) sharedBy.set(word, (sharedBy.get(word) ?? 0) + 1)

export const scriptOf = (reported: string): string => sameScript[reported] ?? reported

/** Undefined if no known language uses the script. */
export const languagesOf = (script: string): readonly string[] | undefined => languagesByScript[script]

/** The first installed language of every other script; Japanese is written in three. */
export function languagesOfOthers(
  installed: readonly string[],
  scripts: readonly string[],
): { script: string; language: string }[] {
  const found = new Map<string, string>()
  for (const [script, languages] of Object.entries(languagesByScript)) {
    const language = languages.find((each) => installed.includes(each))
    if (language !== undefined && !scripts.includes(script) && !found.has(language))
      found.set(language, script)
  }
  return [...found].map(([language, script]) => ({ script, language }))
}

/** Minimum share of frequent words: words that are read wrongly are frequent words only by chance. */
const minFrequent = 0.2
/** Noise is often read as single letters. */
const minLength = 2

/** Whether enough words are frequent words of a language, so that the text was read upright and in its own script. */
export function isKnownLanguage(texts: readonly string[], candidates: readonly string[]): boolean {
  const words = wordsIn(texts).filter((word) => word.length >= minLength)
  const hits = candidates.map((language) => scoreOf(words, language).hits)
  return Math.max(...hits) >= Math.max(minHits, minFrequent * words.length)
}

/** Letters that no other language has. */
const ownLetters: Readonly<Record<string, RegExp>> = {
  jpn: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  kor: /\p{Script=Hangul}/gu,
}

/** Whether enough of the letters are those of the language alone. */
export function hasOwnLetters(texts: readonly string[], language: string): boolean {
  const own = ownLetters[language]
  const count = (letters: RegExp): number => texts.join('').match(letters)?.length ?? 0
  return own !== undefined && count(own) > minFrequent * count(/\p{L}/gu)
}

/** Both read most characters of the other, as their own form of it. The first is the default. */
export const formsOfChinese: readonly [string, string] = ['chi_sim', 'chi_tra']

/** Whether words can decide for or against it: Chinese and Japanese have no spaces between words. */
export const hasFrequentWords = (language: string): boolean => folded.has(language)

/** Confidence (0 to 100) of a sample in a language that was only tried. */
export const readWell = 75
const readSurely = 90

/** Confidence in a language without known frequent words at which no other language is tried. */
export const enoughIn = (language: string, texts: readonly string[]): number =>
  formsOfChinese.includes(language) || hasOwnLetters(texts, language) ? readWell : readSurely

/** Equivalent to this many words of one language alone: a few words that several languages share do not decide. */
const clearScore = 3

/** Whether one language has enough frequent words, and more than the others, or there is nothing to decide. */
export function isLanguageClear(texts: readonly string[], candidates: readonly string[]): boolean {
  const words = wordsIn(texts)
  const [best, second] = candidates
    .filter(hasFrequentWords)
    .map((language) => scoreOf(words, language))
    .sort((a, b) => b.score - a.score)
  return !best || !second || (best.score >= clearScore && best.score >= minLead * second.score)
}

/** The candidates in which the pairs of letters are most frequent, the likeliest first; all, if these are unknown. */
export function likelyLanguages(texts: readonly string[], candidates: readonly string[]): readonly string[] {
  if (candidates.some((language) => rarityOfPairs[language] === undefined)) return candidates
  const letters = [...` ${withoutMarks(wordsIn(texts).join(' '))} `].map((letter) => alphabet.indexOf(letter))
  const pairs = letters.flatMap((letter, i) => {
    const next = letters[i + 1] ?? -1
    return letter >= 0 && next >= 0 ? [alphabet.length * letter + next] : []
  })
  const rarity = (language: string): number => {
    const digits = rarityOfPairs[language] ?? ''
    return pairs.reduce((sum, pair) => sum + Number.parseInt(digits[pair] ?? '', 36), 0)
  }
  return candidates
    .map((language) => ({ language, rarity: rarity(language) }))
    .toSorted((a, b) => a.rarity - b.rarity)
    .slice(0, maxLikely)
    .map(({ language }) => language)
}

/** The language of words that were read as `current`; `current` itself if the words do not decide. */
export function languageOf(texts: readonly string[], current: string, candidates: readonly string[]): string {
  const words = wordsIn(texts)
  const scored = candidates.map((language) => ({ language, ...scoreOf(words, language) }))
  const own = scoreOf(words, current)
  const best = scored.reduce((top, each) => (each.score > top.score ? each : top), {
    language: current,
    ...own,
  })
  return best.hits >= minHits && best.score >= minLead * own.score ? best.language : current
}

/** A word that several languages share counts less for each. */
function scoreOf(words: readonly string[], language: string): { hits: number; score: number } {
  const own = folded.get(language)
  const hits = words.filter((word) => own?.has(word))
  return { hits: hits.length, score: hits.reduce((sum, word) => sum + 1 / (sharedBy.get(word) ?? 1), 0) }
}
