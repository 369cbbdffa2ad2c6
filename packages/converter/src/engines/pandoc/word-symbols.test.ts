import { expect, test } from 'vitest'
import { withSymbols } from './word-symbols.ts'

const run = (content: string, font = '') =>
  `<w:r>${font && `<w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}"/></w:rPr>`}${content}</w:r>`
const symbol = (font: string, code: string) => `<w:sym w:font="${font}" w:char="${code}"/>`

test.each([
  [run(symbol('Wingdings', 'F0E0')), run('<w:t>→</w:t>')],
  [run(`<w:t>a</w:t>${symbol('wingdings 2', '0052')}`), run('<w:t>a</w:t><w:t>☑</w:t>')],
  [run('<w:t>üJ</w:t>', 'Wingdings'), run('<w:t>✔☺</w:t>', 'Wingdings')],
  [run('<w:t>\uf0a7 &amp;</w:t>', 'Wingdings'), run('<w:t>▪ &amp;</w:t>', 'Wingdings')],
  [run('<w:t>Wingdings ü</w:t>', 'Arial'), run('<w:t>Wingdings ü</w:t>', 'Arial')],
  [run(symbol('Wingdings', 'FFFFFF')), run(symbol('Wingdings', 'FFFFFF'))],
])('%s becomes %s', (given, shown) => expect(withSymbols(`<w:p>${given}</w:p>`)).toBe(`<w:p>${shown}</w:p>`))
