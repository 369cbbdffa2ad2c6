// A bullet whose font lacks its sign is shown in a font that has it. Word makes the line as high as that font, and
// LibreOffice does not. Fonts for text lack most signs of the block Dingbats, and Word takes Segoe UI
// Symbol for them. So it is named.

const dingbat = /^[\u2701-\u27bf]$/
const font = 'Segoe UI Symbol'
const named = `<w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="${font}" w:cs="${font}" w:hint="default"/>`
/** Whoever names another font may name one that has the sign. */
const textFonts = /^(?:Arial|Calibri|Cambria|Times New Roman|Courier New|Aptos|Verdana|Tahoma|Georgia)$/

export const nameBulletFonts = (numbering: string): string =>
  numbering.replaceAll(/<w:lvl\b[^<>]*>(?:(?!<w:lvl\b)[\s\S])*?<\/w:lvl>/g, (level) => {
    const sign = /<w:lvlText\b[^<>]* ?w:val="([^"]*)"/.exec(level)?.[1] ?? ''
    if (!dingbat.test(sign) || !/<w:numFmt w:val="bullet"\/>/.test(level)) return level
    const fonts = /<w:rFonts\b[^<>]*>/.exec(level)?.[0]
    if (fonts !== undefined)
      return textFonts.test(/w:ascii="([^"]*)"/.exec(fonts)?.[1] ?? '') ? level.replace(fonts, named) : level
    return /<w:rPr>/.test(level)
      ? level.replace('<w:rPr>', `<w:rPr>${named}`)
      : level.replace('</w:lvl>', `<w:rPr>${named}</w:rPr></w:lvl>`)
  })
