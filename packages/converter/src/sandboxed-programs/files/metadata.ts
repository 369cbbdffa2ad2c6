import { openObjects, type PdfDictionary, type PdfObjects, type PdfValue } from './qpdf.ts'

// The information dictionary of a PDF, with ExifTool's names for its entries, and the XMP packet with the same values.
// The packet keeps the declared conformance (PDF/A, PDF/UA).

/** Names of ours that the dictionary calls otherwise. */
const infoNames: Readonly<Record<string, string>> = { CreateDate: 'CreationDate', ModifyDate: 'ModDate' }
const dates = new Set(['CreationDate', 'ModDate'])

export async function readMetadata(path: string): Promise<Record<string, unknown>> {
  const objects = await openObjects(path)
  const info = await objects.read(objects.trailer['/Info'])
  const found: Record<string, unknown> = { PDFVersion: Number(objects.version) }
  for (const [key, value] of Object.entries(info)) {
    const name = key.slice(1)
    const shown = name === 'CreationDate' ? 'CreateDate' : name
    if (key.startsWith('/') && shown !== 'PDFVersion') found[shown] = toValue(name, value)
  }
  return found
}

function toValue(name: string, value: PdfValue): unknown {
  if (typeof value !== 'string') return value
  if (value.startsWith('/')) return value.slice(1)
  const text = textOf(value)
  if (dates.has(name)) return readDate(text)
  if (name === 'Keywords' && text.includes(', ')) return text.split(', ')
  return text === 'true' ? true : text === 'false' ? false : text
}

/** A text (`u:`), or its bytes (`b:`), which are UTF-16 with a mark and one byte for each letter without. */
function textOf(value: string): string {
  if (!value.startsWith('b:')) return value.replace(/^u:/, '')
  const bytes = Buffer.from(value.slice(2), 'hex')
  return new TextDecoder(bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'latin1').decode(bytes)
}

/** `D:20060918162750-04'00'` as `2006:09:18 16:27:50-04:00`. */
function readDate(text: string): string {
  const parts = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?/.exec(text)
  if (!parts) return text
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', utc, zone, rest] = parts
  const offset = utc ? 'Z' : zone ? `${zone}:${rest ?? '00'}` : ''
  return `${year}:${month}:${day} ${hour}:${minute}:${second}${offset}`
}

function writeDate(text: string): string {
  const parts =
    /^(\d{4})[-:](\d\d)[-:](\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?)?(?:(Z)|([+-]\d\d):?(\d\d))?$/.exec(
      text,
    )
  if (!parts) return text
  const [, year, month, day, hour = '00', minute = '00', second = '00', utc, zone, rest] = parts
  return `D:${year}${month}${day}${hour}${minute}${second}${utc ? 'Z' : zone ? `${zone}'${rest}'` : ''}`
}

/** Adds or replaces metadata of the document. */
export async function writeMetadata(
  path: string,
  metadata: Readonly<Record<string, unknown>>,
): Promise<string> {
  const objects = await openObjects(path)
  const { trailer } = objects
  const info: PdfDictionary = { ...(await objects.read(trailer['/Info'])) }
  for (const [given, value] of Object.entries(metadata)) {
    // The version of the file itself.
    if (given === 'PDFVersion') continue
    const name = infoNames[given] ?? given
    const text = Array.isArray(value) ? value.join(', ') : String(value)
    info[`/${name}`] = name === 'Trapped' ? `/${text}` : `u:${dates.has(name) ? writeDate(text) : text}`
  }
  const root = trailer['/Root'] as string
  const catalog = await objects.read(root)
  const packet = xmpPacket(info, await declarationsOf(objects, catalog['/Metadata']))
  const stream = objects.addStream({ '/Type': '/Metadata', '/Subtype': '/XML' }, Buffer.from(packet))
  objects.change(root, { ...catalog, '/Metadata': stream })
  objects.changeTrailer({ '/Info': objects.add(info) })
  const version = Number(metadata.PDFVersion)
  return objects.save(version >= 1.4 && version <= 2 ? [`--min-version=${version.toFixed(1)}`] : [])
}

/** The declarations in the existing packet: `part` and `conformance` of PDF/A, `part` of PDF/UA. */
async function declarationsOf(objects: PdfObjects, reference: PdfValue | undefined): Promise<string> {
  if (reference === undefined) return ''
  const { data } = await objects.read(reference, true)
  const text = Buffer.from(typeof data === 'string' ? data : '', 'base64').toString('utf8')
  const found = (name: string) => new RegExp(`${name}(?:>|=["'])([0-9A-Za-z]{1,4})[<"']`).exec(text)?.[1]
  const [part, conformance, accessible] = ['pdfaid:part', 'pdfaid:conformance', 'pdfuaid:part'].map(found)
  return [
    part ? `<pdfaid:part>${part}</pdfaid:part>` : '',
    conformance ? `<pdfaid:conformance>${conformance}</pdfaid:conformance>` : '',
    accessible ? `<pdfuaid:part>${accessible}</pdfuaid:part>` : '',
  ].join('')
}

function xmpPacket(info: PdfDictionary, declarations: string): string {
  const text = (name: string) => escaped(String(toValue('', info[`/${name}`] ?? '') ?? ''))
  const date = (name: string) => {
    const found = readDate(textOf(String(info[`/${name}`] ?? '')))
    return found.replace(/^(\d{4}):(\d\d):(\d\d) /, '$1-$2-$3T')
  }
  const element = (name: string, value: string) => (value === '' ? '' : `<${name}>${value}</${name}>`)
  const listed = (name: string, kind: string, value: string, attribute = '') =>
    value === '' ? '' : `<${name}><rdf:${kind}><rdf:li${attribute}>${value}</rdf:li></rdf:${kind}></${name}>`
  const anyLanguage = ' xml:lang="x-default"'
  const properties = [
    listed('dc:title', 'Alt', text('Title'), anyLanguage),
    listed('dc:creator', 'Seq', text('Author')),
    listed('dc:description', 'Alt', text('Subject'), anyLanguage),
    listed('dc:rights', 'Alt', text('Copyright'), anyLanguage),
    element('pdf:Keywords', text('Keywords')),
    element('pdf:Producer', text('Producer')),
    element('xmp:CreatorTool', text('Creator')),
    element('xmp:CreateDate', date('CreationDate')),
    element('xmp:ModifyDate', date('ModDate')),
    element(
      'xmpRights:Marked',
      text('Marked') === 'true' ? 'True' : text('Marked') === 'false' ? 'False' : '',
    ),
    declarations,
  ].join('')
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">${properties}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
