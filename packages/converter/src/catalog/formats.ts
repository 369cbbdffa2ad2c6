// Every format that the service reads or writes. Formats that only the browser converts (images to images, audio,
// archives) are in the contract (client-pairs.ts): the service has only their names, for its error message.

export interface Format {
  label: string
  extension: string
  contentType: string
  /** Text has no magic bytes: any text may be a file of this format, and nothing else. */
  isText?: true
  /** Readers take it for this one: a template, a document with macros (which never run), or the same in one XML file. */
  readAs?: string
  /**
   * How a file of this format is checked after a conversion (checks/). Every target needs a check. For a picture of a
   * page, the PDF that it is rendered from is checked.
   */
  check?: 'text' | 'package' | 'pdf' | 'video' | 'files'
}

const openXml = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'

const file = <const More extends Partial<Format> = Record<never, never>>(
  label: string,
  extension: string,
  contentType: string,
  more = {} as More,
) => ({ label, extension, contentType, ...more })

const text = (label: string, extension: string, type: string) =>
  file(label, extension, `${type}; charset=utf-8`, { isText: true, check: 'text' })

const table = {
  // Text and interchange
  md: text('Markdown', 'md', 'text/markdown'),
  html: text('HTML', 'html', 'text/html'),
  epub: file('EPUB', 'epub', 'application/epub+zip', { check: 'package' }),
  latex: text('LaTeX', 'tex', 'application/x-tex'),
  rst: text('RST', 'rst', 'text/x-rst'),
  txt: text('TXT', 'txt', 'text/plain'),
  json: file('JSON', 'json', 'application/json', { check: 'text' }),
  pdf: file('PDF', 'pdf', 'application/pdf', { check: 'pdf' }),
  // Only a target: as an input it is a PDF.
  pdfa: file('PDF/A', 'pdf', 'application/pdf', { check: 'pdf' }),
  // Text documents
  docx: file('DOCX', 'docx', `${openXml}.wordprocessingml.document`, { check: 'package' }),
  doc: file('DOC', 'doc', 'application/msword'),
  odt: file('ODT', 'odt', `${openDocument}.text`, { check: 'package' }),
  rtf: file('RTF', 'rtf', 'application/rtf'),
  docm: file('DOCM', 'docm', 'application/vnd.ms-word.document.macroEnabled.12', { readAs: 'docx' }),
  dotx: file('DOTX', 'dotx', `${openXml}.wordprocessingml.template`, { readAs: 'docx' }),
  fodt: file('FODT', 'fodt', `${openDocument}.text-flat-xml`, { readAs: 'odt' }),
  wpd: file('WPD', 'wpd', 'application/vnd.wordperfect'),
  pages: file('Pages', 'pages', 'application/vnd.apple.pages'),
  // Sheets
  xlsx: file('XLSX', 'xlsx', `${openXml}.spreadsheetml.sheet`, { check: 'package' }),
  xls: file('XLS', 'xls', 'application/vnd.ms-excel'),
  ods: file('ODS', 'ods', `${openDocument}.spreadsheet`, { check: 'package' }),
  csv: text('CSV', 'csv', 'text/csv'),
  xlsm: file('XLSM', 'xlsm', 'application/vnd.ms-excel.sheet.macroEnabled.12', { readAs: 'xlsx' }),
  xltx: file('XLTX', 'xltx', `${openXml}.spreadsheetml.template`, { readAs: 'xlsx' }),
  fods: file('FODS', 'fods', `${openDocument}.spreadsheet-flat-xml`, { readAs: 'ods' }),
  numbers: file('Numbers', 'numbers', 'application/vnd.apple.numbers'),
  // Slides and drawings
  pptx: file('PPTX', 'pptx', `${openXml}.presentationml.presentation`, { check: 'package' }),
  ppt: file('PPT', 'ppt', 'application/vnd.ms-powerpoint'),
  odp: file('ODP', 'odp', `${openDocument}.presentation`, { check: 'package' }),
  pptm: file('PPTM', 'pptm', 'application/vnd.ms-powerpoint.presentation.macroEnabled.12', {
    readAs: 'pptx',
  }),
  ppsx: file('PPSX', 'ppsx', `${openXml}.presentationml.slideshow`, { readAs: 'pptx' }),
  potx: file('POTX', 'potx', `${openXml}.presentationml.template`, { readAs: 'pptx' }),
  key: file('Keynote', 'key', 'application/vnd.apple.keynote'),
  odg: file('ODG', 'odg', `${openDocument}.graphics`),
  vsdx: file('VSDX', 'vsdx', 'application/vnd.ms-visio.drawing.main+xml'),
  vsd: file('VSD', 'vsd', 'application/vnd.visio'),
  pub: file('PUB', 'pub', 'application/vnd.ms-publisher'),
  // Pictures of pages; as a source, their text is recognised
  png: file('PNG', 'png', 'image/png', { check: 'pdf' }),
  jpg: file('JPEG', 'jpg', 'image/jpeg'),
  tiff: file('TIFF', 'tiff', 'image/tiff'),
  webp: file('WebP', 'webp', 'image/webp'),
  // Mail
  eml: file('EML', 'eml', 'message/rfc822'),
  msg: file('MSG', 'msg', 'application/vnd.ms-outlook'),
  // Video
  mp4: file('MP4', 'mp4', 'video/mp4', { check: 'video' }),
  mov: file('MOV', 'mov', 'video/quicktime', { check: 'video' }),
  mkv: file('MKV', 'mkv', 'video/x-matroska', { check: 'video' }),
  avi: file('AVI', 'avi', 'video/x-msvideo'),
  webm: file('WebM', 'webm', 'video/webm', { check: 'video' }),
  wmv: file('WMV', 'wmv', 'video/x-ms-wmv'),
  flv: file('FLV', 'flv', 'video/x-flv'),
  mpeg: file('MPEG', 'mpeg', 'video/mpeg'),
  ts: file('TS', 'ts', 'video/mp2t'),
  m4v: file('M4V', 'm4v', 'video/x-m4v'),
  '3gp': file('3GP', '3gp', 'video/3gpp'),
  ogv: file('OGV', 'ogv', 'video/ogg'),
  mxf: file('MXF', 'mxf', 'application/mxf'),
  vob: file('VOB', 'vob', 'video/mpeg'),
  rm: file('RealMedia', 'rm', 'application/vnd.rn-realmedia'),
  gif: file('GIF', 'gif', 'image/gif', { check: 'video' }),
  // Internal, for the compatibility APIs: several files with the steps to apply to them, and their results.
  'file-set': file('file set', 'zip', 'application/zip'),
  'file-results': file('file results', 'zip', 'application/zip', { check: 'files' }),
}

export type FormatName = keyof typeof table

export const formats: Readonly<Record<FormatName, Format & { readAs?: FormatName }>> = table

/** The format that engines, options and checks go by. */
export const readAs = (name: FormatName): FormatName => formats[name].readAs ?? name
