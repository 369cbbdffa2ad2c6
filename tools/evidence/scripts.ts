// Pages in the scripts of the world, made by seed. What is asked of them holds for any page: no letter lost or made up,
// paragraphs in their order, words where they were parted, a table with as many cells as it had.

export interface ScriptPage {
  name: string
  html: string
  language: string
  /** In the order of reading; no two are alike. */
  paragraphs: string[]
  /** Row by row; empty where the page has none. */
  table: string[][]
}

export interface Language {
  code: string
  /** Words, or characters where the script parts none. */
  words: string
  direction?: 'rtl'
  family: string
  /** No space between words. */
  joined?: true
}

export const scriptLanguages: readonly Language[] = [
  {
    code: 'vi',
    words: 'đất nung bền hơn bàn tay đã nặn ra nó và giữ lại những gì được ấn vào khi còn mềm',
    family: 'DejaVu Sans',
  },
  {
    code: 'ar',
    words: 'الطين المحروق يبقى أطول من اليد التي شكلته ويحفظ ما نقش فيه وهو لين',
    direction: 'rtl',
    family: 'DejaVu Sans',
  },
  {
    code: 'he',
    words: 'חומר שרוף מאריך ימים מן היד שעיצבה אותו ושומר את מה שהוטבע בו כשהיה רך',
    direction: 'rtl',
    family: 'Liberation Serif',
  },
  {
    code: 'ja',
    words: '焼いた土はそれを形づくった手よりも長く残り柔らかいうちに押された跡を守りつづける',
    family: 'Noto Sans CJK JP',
    joined: true,
  },
  {
    code: 'zh',
    words: '烧过的泥土比塑造它的手更长久𠮷野家并保留柔软时压下的痕迹直到最后一天',
    family: 'Noto Sans CJK SC',
    joined: true,
  },
  {
    code: 'ko',
    words: '구운 흙은 그것을 빚은 손보다 오래 남고 부드러울 때 눌린 자국을 끝까지 간직한다',
    family: 'NanumGothic',
  },
  {
    code: 'ka',
    words: 'გამომწვარი თიხა უფრო დიდხანს ძლებს ვიდრე ხელი რომელმაც ის გამოძერწა',
    family: 'DejaVu Sans',
  },
  {
    code: 'hy',
    words: 'թրծված կավը ավելի երկար է ապրում քան այն ձեռքը որ ձևավորել է այն',
    family: 'DejaVu Sans',
  },
  {
    code: 'cs',
    words: 'pálená hlína přetrvá ruku která ji tvarovala a uchová co do ní bylo vtištěno dokud byla měkká',
    family: 'Carlito',
  },
  {
    code: 'tr',
    words: 'pişmiş toprak onu biçimlendiren elden uzun yaşar ve yumuşakken bastırılanı sonuna dek saklar',
    family: 'Liberation Sans',
  },
]
const papers = ['A4', 'Letter', 'A5', 'A4 landscape', '210mm 210mm']
const borders = [
  'td { border: 0.75pt solid #000 }',
  'table { border-top: 1pt solid #000; border-bottom: 1pt solid #000 } tr:first-child td { border-bottom: 0.5pt solid #000 }',
]

/** A chain of numbers that looks random and is the same everywhere. */
export function chain(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x297a2d39) | 0
    return (state >>> 8) % below
  }
}

export function makeScriptPage(seed: number): ScriptPage {
  const next = chain(seed)
  const language = scriptLanguages[seed % scriptLanguages.length] as Language
  const { code, words, direction, family, joined } = language
  const pool = joined ? [...words] : words.split(' ')
  const text = (count: number): string =>
    Array.from({ length: count }, () => pool[next(pool.length)] as string).join(joined ? '' : ' ')
  const stop = joined ? '。' : '.'
  const paragraphs = Array.from(
    { length: 4 + next(4) },
    (_, i) =>
      `${text(2)} ${i + 1}${joined ? '、' : ' '}${text(joined ? 60 + next(60) : 25 + next(30))}${stop}`,
  )
  const columns = 2 + next(3)
  const table =
    next(3) === 0
      ? []
      : Array.from({ length: 3 + next(4) }, (_, row) =>
          Array.from({ length: columns }, (_unused, column) =>
            row === 0 || column === 0 ? text(joined ? 3 : 1) + (row + column) : String(100 + next(900)),
          ),
        )
  const size = 8 + next(6)
  const isParted = next(4) === 0
  const rows = table.map((row) => `<tr>${row.map((c) => `<td>${c}</td>`).join('')}</tr>`).join('')
  const half = Math.ceil(paragraphs.length / 2)
  const asHtml = (own: readonly string[]): string => own.map((p) => `<p>${p}</p>`).join('\n')
  const html = `<!DOCTYPE html>
<html lang="${code}" dir="${direction ?? 'ltr'}"><head><meta charset="utf-8"><title>${seed}</title><style>
@page { size: ${papers[next(papers.length)]}; margin: ${10 + next(15)}mm }
body { font: ${size}pt/${1.2 + next(5) / 10} "${family}"; margin: 0; text-align: ${next(2) === 0 ? 'justify' : 'start'} }
p, table { margin: 0 0 ${size}pt } table { border-collapse: collapse } td { padding: 2pt 8pt }
${isParted ? '.text { columns: 2; column-gap: 24pt }' : ''}
${borders[next(borders.length)]}
</style></head><body>
<div class="text">${asHtml(paragraphs.slice(0, half))}</div>
${table.length > 0 ? `<table>${rows}</table>` : ''}
<div class="text">${asHtml(paragraphs.slice(half))}</div>
</body></html>`
  return { name: `script-${code}-${seed}`, html, language: code, paragraphs, table }
}
