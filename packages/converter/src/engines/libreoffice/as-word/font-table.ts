import { visitXml, type XmlElement } from '../../../package/edit-xml.ts'
import { familyOfClass } from '../../fonts.ts'
import { classOfFamily, classOfPanose, type DocumentFont, familyOf } from '../font-rules.ts'

// `word/fontTable.xml` describes the fonts that a document names. For a font that is missing Word takes the alternative
// name, then a font of the same class, and Times New Roman where nothing is known. An entry that is marked as no
// TrueType font was made up by a Word that had never seen the font: its class says nothing, so the name is asked first.

interface Entry {
  name: string
  alternative?: string | undefined
  panose?: string | undefined
  family?: string | undefined
  pitch?: string | undefined
  charset: number
  isMadeUp: boolean
  isEmbedded: boolean
}

const symbolCharset = 0x02
/** Shift-JIS, Hangul, Johab, GB 2312, Big5. */
const eastAsianCharsets = new Set([0x80, 0x81, 0x82, 0x86, 0x88])

export function readFontTable(xml: string): DocumentFont[] {
  const entries: Entry[] = []
  visitXml(xml, ({ name, attributes }) => {
    if (name === 'w:font')
      entries.push({ name: attributes['w:name'] ?? '', charset: 0, isMadeUp: false, isEmbedded: false })
    const entry = entries.at(-1)
    if (entry) readEntry(entry, name, attributes)
  })
  return entries
    .filter(({ charset, isEmbedded }) => charset !== symbolCharset && !isEmbedded)
    .map((entry) => ({ name: entry.name, alternative: entry.alternative, family: replacementOf(entry) }))
}

function readEntry(entry: Entry, name: string, attributes: XmlElement['attributes']): void {
  const value = attributes['w:val']
  if (name === 'w:altName') entry.alternative = value
  else if (name === 'w:panose1') entry.panose = value
  else if (name === 'w:family') entry.family = value
  else if (name === 'w:pitch') entry.pitch = value
  else if (name === 'w:charset') entry.charset = Number.parseInt(value ?? '0', 16)
  else if (name === 'w:notTrueType') entry.isMadeUp = value !== '0' && value !== 'false'
  else if (name.startsWith('w:embed')) entry.isEmbedded = true
}

function replacementOf({ name, family, pitch, panose, charset, isMadeUp }: Entry): string | undefined {
  // Which font has the characters matters more there than its class.
  if (eastAsianCharsets.has(charset)) return undefined
  const known = family === 'roman' || family === 'swiss' || family === 'modern' ? family : undefined
  const described = isMadeUp ? undefined : (classOfFamily(known, pitch === 'fixed') ?? classOfPanose(panose))
  return described ? familyOf[described] : (familyOfClass(name) ?? familyOf.serif)
}
