// The service does not offer conversions that a browser can do itself. These are the format names by class; a pair of
// two formats of such classes is a `client-pair`. @kiln/browser converts them.

type FormatClass = 'image' | 'audio' | 'archive' | 'video' | 'pdf'

const namesByClass: Record<FormatClass, string> = {
  image:
    'jpg jpeg jpe jfif png apng gif webp bmp tif tiff ico cur svg svgz avif heic heif jxl jp2 j2k jpx tga psd ppm pgm ' +
    'pbm pnm pam qoi hdr exr dds pcx xbm xpm raw dng cr2 cr3 crw nef nrw arw srf sr2 raf orf rw2 pef srw x3f ' +
    'erf kdc mrw dcr mef mos 3fr iiq rwl',
  audio:
    'mp3 wav wave ogg oga opus flac m4a m4b m4r aac aif aiff aifc wma amr ac3 eac3 dts ape alac mka mp2 mid midi caf au ' +
    'snd weba spx wv tta ra gsm',
  archive:
    'zip tar gz gzip tgz bz2 tbz2 xz txz 7z rar zst tzst lz lzma lz4 br cab iso ar cpio jar war deb rpm z arj lzh',
  video:
    'mp4 m4v mov qt mkv avi webm wmv asf flv f4v mpeg mpg m2v ts mts m2ts 3gp 3g2 ogv vob rm rmvb mxf divx',
  pdf: 'pdf',
}

const classesByName = new Map<string, Set<FormatClass>>()
for (const [formatClass, names] of Object.entries(namesByClass) as [FormatClass, string][]) {
  for (const name of names.split(' ')) {
    const classes = classesByName.get(name) ?? new Set()
    classesByName.set(name, classes.add(formatClass))
  }
}

// The browser's work, from class to class.
const browserWork: readonly (readonly [FormatClass, FormatClass])[] = [
  ['image', 'image'],
  ['image', 'pdf'],
  ['pdf', 'image'],
  ['audio', 'audio'],
  ['video', 'audio'],
  ['archive', 'archive'],
  ['pdf', 'pdf'],
]

export interface ClientPair {
  from: string
  to: string
}

/** Every pair of two names that the service leaves to the browser, also of two names of one format. */
export const clientPairs = (): ClientPair[] =>
  browserWork.flatMap(([source, target]) =>
    namesByClass[source]
      .split(' ')
      .flatMap((from) => namesByClass[target].split(' ').map((to) => ({ from, to }))),
  )

/** For a slug that is not in the table of pairs: whether browsers convert it. */
export function classifyUnlisted(slug: string): 'client-pair' | 'unknown-pair' {
  const parts = slug.split('-to-')
  const from = classesByName.get(parts[0] ?? '')
  const to = classesByName.get(parts[1] ?? '')
  if (parts.length !== 2 || !from || !to) return 'unknown-pair'
  return browserWork.some(([source, target]) => from.has(source) && to.has(target))
    ? 'client-pair'
    : 'unknown-pair'
}

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
