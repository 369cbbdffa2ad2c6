// The extensions that /forms/libreoffice/convert accepts, and the format that Kiln reads each as. Entries without a
// format are supported by Gotenberg but not by Kiln.

const formats: Readonly<Record<string, string>> = {
  '.csv': 'csv',
  '.doc': 'doc',
  '.docm': 'docm',
  '.docx': 'docx',
  '.dot': 'doc',
  '.dotm': 'docm',
  '.dotx': 'dotx',
  '.epub': 'epub',
  '.fods': 'fods',
  '.fodt': 'fodt',
  '.htm': 'html',
  '.html': 'html',
  '.key': 'key',
  '.numbers': 'numbers',
  '.odg': 'odg',
  '.odp': 'odp',
  '.ods': 'ods',
  '.odt': 'odt',
  '.otg': 'odg',
  '.otp': 'odp',
  '.ots': 'ods',
  '.ott': 'odt',
  '.pages': 'pages',
  '.pot': 'ppt',
  '.potm': 'pptm',
  '.potx': 'potx',
  '.pps': 'ppt',
  '.ppsm': 'ppsx',
  '.ppsx': 'ppsx',
  '.ppt': 'ppt',
  '.pptm': 'pptm',
  '.pptx': 'pptx',
  '.pub': 'pub',
  '.rtf': 'rtf',
  '.txt': 'txt',
  '.vsd': 'vsd',
  '.vsdm': 'vsdx',
  '.vsdx': 'vsdx',
  '.wpd': 'wpd',
  '.xhtml': 'html',
  '.xls': 'xls',
  '.xlsb': 'xlsx',
  '.xlsm': 'xlsm',
  '.xlsx': 'xlsx',
  '.xlt': 'xls',
  '.xltm': 'xlsm',
  '.xltx': 'xltx',
}

export const formatOfExtension = (extension: string): string | undefined =>
  Object.hasOwn(formats, extension) ? formats[extension] : undefined

const others =
  '.123 .602 .abw .bib .bmp .cdr .cgm .cmx .cwk .dbf .dif .dxf .emf .eps .fodg .fodp .fopd .gif .hwp .jpeg .jpg .ltx .lwp .mcw .met .mml .mw .odd .odm .oth .pbm .pcd .pct .pcx .pdb .pdf .pgm .png .ppm .psd .psw .pwp .pxl .ras .sda .sdc .sdd .sdp .sdw .sgl .slk .smf .stc .std .sti .stw .svg .svm .swf .sxc .sxd .sxg .sxi .sxm .sxw .tga .tif .tiff .uof .uop .uos .uot .vdx .vor .wb2 .wk1 .wks .wmf .wpg .wps .xbm .xlw .xml .xpm .zabw'

export const documentExtensions: readonly string[] = [...Object.keys(formats), ...others.split(' ')].sort()
