import { powerPointEdit } from '../as-powerpoint.ts'

/** Tests specify the content of a part's root element. */
const inRoot = (xml: string) => `<root>${xml}</root>`
const withoutRoot = (xml: string) => xml.replace(/^<root>/, '').replace(/<\/root>$/, '')
export const changedParts = (parts: ReadonlyMap<string, string>): Map<string, string> =>
  new Map(
    Array.from(
      powerPointEdit.apply(
        new Map(
          Array.from(parts, ([name, xml]) => [
            name,
            /^<p:(?:sld|presentation)/.test(xml) ? xml : inRoot(xml),
          ]),
        ),
      ),
      ([name, xml]) => [name, withoutRoot(String(xml))],
    ),
  )

const list = (fonts: string) =>
  `<a:majorFont>${fonts}</a:majorFont><a:minorFont>${fonts.replaceAll('Serif', 'Sans')}</a:minorFont>`
export const theme = list(
  '<a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface=""/><a:font script="Jpan" typeface="J Serif"/>' +
    '<a:font script="Hang" typeface="K Serif"/><a:font script="Hans" typeface="C Serif"/>' +
    '<a:font script="Hant" typeface="T Serif"/><a:font script="Hebr" typeface="H Serif"/>',
)
export const presentation = (attributes = '') =>
  `<p:presentation xmlns:p="p"${attributes}><p:sldIdLst><p:sldId id="256" r:id="rId9"/><p:sldId id="257" r:id="rId3"/>` +
  '</p:sldIdLst></p:presentation>'
export const relations =
  '<Relationships><Relationship Id="rId3" Target="slides/slide1.xml"/>' +
  '<Relationship Target="/ppt/slides/slide2.xml" Id="rId9"/></Relationships>'

/** The changed parts of a deck with these slides. */
export const change = (slides: readonly string[], attributes?: string, fonts = theme): Map<string, string> =>
  changedParts(
    new Map([
      ['ppt/theme/theme1.xml', fonts],
      ['ppt/presentation.xml', presentation(attributes)],
      ['ppt/_rels/presentation.xml.rels', relations],
      ...slides.map((xml, index) => [`ppt/slides/slide${index + 1}.xml`, xml] as const),
    ]),
  )
