// Names of character encodings. TextDecoder supports every label of the Encoding Standard; Windows, Python and mail
// programs also use others.

const aliases: ReadonlyMap<string, string> = new Map([
  ['cp866', 'ibm866'],
  ['cp874', 'windows-874'],
  ['tis-620', 'windows-874'],
  ['cp932', 'shift_jis'],
  ['cp936', 'gbk'],
  ['cp949', 'euc-kr'],
  ['cp950', 'big5'],
  ['cp10000', 'macintosh'],
  ['cp10007', 'x-mac-cyrillic'],
  ['macroman', 'macintosh'],
  ['maccyrillic', 'x-mac-cyrillic'],
  ['cp1200', 'utf-16le'],
  ['cp1201', 'utf-16be'],
  ['cp20127', 'windows-1252'],
  ['cp20866', 'koi8-r'],
  ['cp21866', 'koi8-u'],
  ['cp20932', 'euc-jp'],
  ['cp51932', 'euc-jp'],
  ['cp51936', 'gbk'],
  ['cp51949', 'euc-kr'],
  ['cp50220', 'iso-2022-jp'],
  ['cp50221', 'iso-2022-jp'],
  ['cp50222', 'iso-2022-jp'],
  ['cp54936', 'gb18030'],
  ['cp65001', 'utf-8'],
  ['utf-16-le', 'utf-16le'],
  ['utf-16-be', 'utf-16be'],
])

/** The name that TextDecoder uses for the encoding; undefined when it does not support the encoding. */
export function encodingName(label: string): string | undefined {
  const name = label.trim().toLowerCase()
  const isoPart = /^cp28(?:59[1-9]|60[0-6])$/.exec(name) ? `iso-8859-${Number(name.slice(2)) - 28_590}` : name
  return supportedName(aliases.get(name) ?? isoPart) ?? supportedName(name.replace(/^iso(?=\d)/, 'iso-'))
}

function supportedName(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
