import { formatOfExtension } from '../file-format.ts'

// The extensions that /forms/libreoffice/convert accepts. Kiln does not convert the files of the second list.

const converted =
  '.csv .doc .docm .docx .dot .dotm .dotx .epub .fods .fodt .htm .html .key .numbers .odg .odp .ods .odt .otg .otp .ots .ott .pages .pot .potm .potx .pps .ppsm .ppsx .ppt .pptm .pptx .pub .rtf .txt .vsd .vsdm .vsdx .wpd .xhtml .xls .xlsb .xlsm .xlsx .xlt .xltm .xltx'
const refused =
  '.123 .602 .abw .bib .bmp .cdr .cgm .cmx .cwk .dbf .dif .dxf .emf .eps .fodg .fodp .fopd .gif .hwp .jpeg .jpg .ltx .lwp .mcw .met .mml .mw .odd .odm .oth .pbm .pcd .pct .pcx .pdb .pdf .pgm .png .ppm .psd .psw .pwp .pxl .ras .sda .sdc .sdd .sdp .sdw .sgl .slk .smf .stc .std .sti .stw .svg .svm .swf .sxc .sxd .sxg .sxi .sxm .sxw .tga .tif .tiff .uof .uop .uos .uot .vdx .vor .wb2 .wk1 .wks .wmf .wpg .wps .xbm .xlw .xml .xpm .zabw'

export const documentExtensions: readonly string[] = `${converted} ${refused}`.split(' ').sort()

/** The format that Kiln reads such a file as. */
export const documentFormat = (extension: string): string | undefined =>
  converted.split(' ').includes(extension) ? formatOfExtension(extension) : undefined
