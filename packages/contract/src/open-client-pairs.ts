// Client pairs that @kiln/browser does not convert yet, by the reason. Its tests keep this list and its conversions apart.

const notRead = {
  'rare images':
    'jxl jp2 j2k jpx tga psd ppm pgm pbm pnm pam qoi hdr exr dds pcx xbm xpm svgz ' +
    // Camera raw.
    'raw dng cr2 cr3 crw nef nrw arw srf sr2 raf orf rw2 pef srw x3f erf kdc mrw dcr mef mos 3fr iiq rwl',
  'codecs that browsers do not decode':
    'aif aiff aifc wma amr ac3 eac3 dts ape alac mp2 mid midi caf au snd spx wv tta ra gsm ' +
    'avi wmv asf flv f4v mpeg mpg m2v ogv vob rm rmvb mxf divx',
  'archives that 7-Zip does not read': 'lz lz4 br',
}

const notWritten = {
  'no free encoder, or none for the web': 'heic heif jxl jp2 j2k jpx psd exr dds',
  'pixels do not become outlines': 'svg svgz',
  'rarely wanted': 'tga ppm pgm pbm pnm pam qoi hdr pcx xbm xpm cur',
  'camera raw':
    'raw dng cr2 cr3 crw nef nrw arw srf sr2 raf orf rw2 pef srw x3f erf kdc mrw dcr mef mos 3fr iiq rwl',
  'sound that browsers do not encode':
    'aif aiff aifc wma amr ac3 eac3 dts ape alac mka mp2 mid midi caf au snd weba spx wv tta ra gsm',
  'archives that 7-Zip does not write': 'rar zst tzst lz lzma lz4 br cab iso ar cpio deb rpm z arj lzh',
  'a zip with rules of its own': 'jar war',
}

const names = (table: Readonly<Record<string, string>>) => new Set(Object.values(table).join(' ').split(' '))
const [unread, unwritten] = [names(notRead), names(notWritten)]

/** Neither the service nor the browser converts it. */
export const isOpenClientPair = (from: string, to: string): boolean => unread.has(from) || unwritten.has(to)
