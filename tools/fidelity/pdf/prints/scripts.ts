// Words of languages in scripts of which there are few documents with a known source.

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
