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

const table = {
  // Text and interchange
  md: {
    label: 'Markdown',
    extension: 'md',
    contentType: 'text/markdown; charset=utf-8',
    isText: true,
    check: 'text',
  },
  html: {
    label: 'HTML',
    extension: 'html',
    contentType: 'text/html; charset=utf-8',
    isText: true,
    check: 'text',
  },
  epub: { label: 'EPUB', extension: 'epub', contentType: 'application/epub+zip', check: 'package' },
  latex: {
    label: 'LaTeX',
    extension: 'tex',
    contentType: 'application/x-tex; charset=utf-8',
    isText: true,
    check: 'text',
  },
  rst: {
    label: 'RST',
    extension: 'rst',
    contentType: 'text/x-rst; charset=utf-8',
    isText: true,
    check: 'text',
  },
  txt: {
    label: 'TXT',
    extension: 'txt',
    contentType: 'text/plain; charset=utf-8',
    isText: true,
    check: 'text',
  },
  json: { label: 'JSON', extension: 'json', contentType: 'application/json', check: 'text' },
  pdf: { label: 'PDF', extension: 'pdf', contentType: 'application/pdf', check: 'pdf' },
  // Only a target: as an input it is a PDF.
  pdfa: { label: 'PDF/A', extension: 'pdf', contentType: 'application/pdf', check: 'pdf' },
  // Text documents
  docx: {
    label: 'DOCX',
    extension: 'docx',
    contentType: `${openXml}.wordprocessingml.document`,
    check: 'package',
  },
  doc: { label: 'DOC', extension: 'doc', contentType: 'application/msword' },
  odt: { label: 'ODT', extension: 'odt', contentType: `${openDocument}.text`, check: 'package' },
  rtf: { label: 'RTF', extension: 'rtf', contentType: 'application/rtf' },
  docm: {
    label: 'DOCM',
    extension: 'docm',
    contentType: 'application/vnd.ms-word.document.macroEnabled.12',
    readAs: 'docx',
  },
  dotx: {
    label: 'DOTX',
    extension: 'dotx',
    contentType: `${openXml}.wordprocessingml.template`,
    readAs: 'docx',
  },
  fodt: {
    label: 'FODT',
    extension: 'fodt',
    contentType: `${openDocument}.text-flat-xml`,
    readAs: 'odt',
  },
  wpd: { label: 'WPD', extension: 'wpd', contentType: 'application/vnd.wordperfect' },
  pages: { label: 'Pages', extension: 'pages', contentType: 'application/vnd.apple.pages' },
  // Sheets
  xlsx: {
    label: 'XLSX',
    extension: 'xlsx',
    contentType: `${openXml}.spreadsheetml.sheet`,
    check: 'package',
  },
  xls: { label: 'XLS', extension: 'xls', contentType: 'application/vnd.ms-excel' },
  ods: { label: 'ODS', extension: 'ods', contentType: `${openDocument}.spreadsheet`, check: 'package' },
  csv: {
    label: 'CSV',
    extension: 'csv',
    contentType: 'text/csv; charset=utf-8',
    isText: true,
    check: 'text',
  },
  xlsm: {
    label: 'XLSM',
    extension: 'xlsm',
    contentType: 'application/vnd.ms-excel.sheet.macroEnabled.12',
    readAs: 'xlsx',
  },
  xltx: {
    label: 'XLTX',
    extension: 'xltx',
    contentType: `${openXml}.spreadsheetml.template`,
    readAs: 'xlsx',
  },
  fods: {
    label: 'FODS',
    extension: 'fods',
    contentType: `${openDocument}.spreadsheet-flat-xml`,
    readAs: 'ods',
  },
  numbers: { label: 'Numbers', extension: 'numbers', contentType: 'application/vnd.apple.numbers' },
  // Slides and drawings
  pptx: {
    label: 'PPTX',
    extension: 'pptx',
    contentType: `${openXml}.presentationml.presentation`,
    check: 'package',
  },
  ppt: { label: 'PPT', extension: 'ppt', contentType: 'application/vnd.ms-powerpoint' },
  odp: { label: 'ODP', extension: 'odp', contentType: `${openDocument}.presentation`, check: 'package' },
  pptm: {
    label: 'PPTM',
    extension: 'pptm',
    contentType: 'application/vnd.ms-powerpoint.presentation.macroEnabled.12',
    readAs: 'pptx',
  },
  ppsx: {
    label: 'PPSX',
    extension: 'ppsx',
    contentType: `${openXml}.presentationml.slideshow`,
    readAs: 'pptx',
  },
  potx: {
    label: 'POTX',
    extension: 'potx',
    contentType: `${openXml}.presentationml.template`,
    readAs: 'pptx',
  },
  key: { label: 'Keynote', extension: 'key', contentType: 'application/vnd.apple.keynote' },
  odg: { label: 'ODG', extension: 'odg', contentType: `${openDocument}.graphics` },
  vsdx: { label: 'VSDX', extension: 'vsdx', contentType: 'application/vnd.ms-visio.drawing.main+xml' },
  vsd: { label: 'VSD', extension: 'vsd', contentType: 'application/vnd.visio' },
  pub: { label: 'PUB', extension: 'pub', contentType: 'application/vnd.ms-publisher' },
  // Pictures of pages; as a source, their text is recognised
  png: { label: 'PNG', extension: 'png', contentType: 'image/png', check: 'pdf' },
  jpg: { label: 'JPEG', extension: 'jpg', contentType: 'image/jpeg' },
  tiff: { label: 'TIFF', extension: 'tiff', contentType: 'image/tiff' },
  webp: { label: 'WebP', extension: 'webp', contentType: 'image/webp' },
  // Mail
  eml: { label: 'EML', extension: 'eml', contentType: 'message/rfc822' },
  msg: { label: 'MSG', extension: 'msg', contentType: 'application/vnd.ms-outlook' },
  // Video
  mp4: { label: 'MP4', extension: 'mp4', contentType: 'video/mp4', check: 'video' },
  mov: { label: 'MOV', extension: 'mov', contentType: 'video/quicktime', check: 'video' },
  mkv: { label: 'MKV', extension: 'mkv', contentType: 'video/x-matroska', check: 'video' },
  avi: { label: 'AVI', extension: 'avi', contentType: 'video/x-msvideo' },
  webm: { label: 'WebM', extension: 'webm', contentType: 'video/webm', check: 'video' },
  wmv: { label: 'WMV', extension: 'wmv', contentType: 'video/x-ms-wmv' },
  flv: { label: 'FLV', extension: 'flv', contentType: 'video/x-flv' },
  mpeg: { label: 'MPEG', extension: 'mpeg', contentType: 'video/mpeg' },
  ts: { label: 'TS', extension: 'ts', contentType: 'video/mp2t' },
  m4v: { label: 'M4V', extension: 'm4v', contentType: 'video/x-m4v' },
  '3gp': { label: '3GP', extension: '3gp', contentType: 'video/3gpp' },
  ogv: { label: 'OGV', extension: 'ogv', contentType: 'video/ogg' },
  mxf: { label: 'MXF', extension: 'mxf', contentType: 'application/mxf' },
  vob: { label: 'VOB', extension: 'vob', contentType: 'video/mpeg' },
  rm: { label: 'RealMedia', extension: 'rm', contentType: 'application/vnd.rn-realmedia' },
  gif: { label: 'GIF', extension: 'gif', contentType: 'image/gif', check: 'video' },
  // Internal, for the compatibility APIs: several files with the steps to apply to them, and their results.
  'file-set': { label: 'file set', extension: 'zip', contentType: 'application/zip' },
  'file-results': { label: 'file results', extension: 'zip', contentType: 'application/zip', check: 'files' },
} as const satisfies Record<string, Format>

export type FormatName = keyof typeof table

export const formats: Readonly<Record<FormatName, Format & { readAs?: FormatName }>> = table

/** The format that engines, options and checks go by. */
export const readAs = (name: FormatName): FormatName => formats[name].readAs ?? name
