import type { FormatName } from '../formats.ts'

// Video containers by their first bytes. Text that only refers to a video elsewhere (playlists, manifests) is not among
// them, and must never reach a demuxer that would follow the reference.

const startsWith = (head: Buffer, bytes: string, at = 0) =>
  head.toString('latin1', at, at + bytes.length) === bytes

const asfHeader = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex')
// The key of a partition at the head of the file.
const mxfHeader = Buffer.from('060e2b34020501010d0102010102', 'hex')

export function detectVideo(head: Buffer): FormatName | undefined {
  if (startsWith(head, 'GIF8')) return 'gif'
  if (startsWith(head, 'RIFF') && startsWith(head, 'AVI ', 8)) return 'avi'
  if (startsWith(head, 'FLV\x01')) return 'flv'
  if (startsWith(head, '\x1aE\xdf\xa3')) return matroska(head)
  if (head.subarray(0, 16).equals(asfHeader)) return 'wmv'
  if (head.subarray(0, mxfHeader.length).equals(mxfHeader)) return 'mxf'
  if (startsWith(head, '.RMF')) return 'rm'
  // A pack, or the sequence header of a bare video stream.
  if (startsWith(head, '\0\0\x01\xba') || startsWith(head, '\0\0\x01\xb3')) return 'mpeg'
  if (startsWith(head, 'OggS')) return head.includes('theora') ? 'ogv' : undefined
  return isoMedia(head) ?? (isTransportStream(head) ? 'ts' : undefined)
}

const matroska = (head: Buffer): FormatName | undefined => {
  const start = head.subarray(0, 4_096)
  return start.includes('webm') ? 'webm' : start.includes('matroska') ? 'mkv' : undefined
}

const pictureBrands = /^(avif|avis|mif1|msf1|hei[cmsx]|hev[cmsx]|crx|jpx?)$/

/** MP4 files start with a box; files of old QuickTime, which lack `ftyp`, start with one of the others. */
function isoMedia(head: Buffer): FormatName | undefined {
  const box = head.toString('latin1', 4, 8)
  if (box !== 'ftyp') {
    return ['moov', 'mdat', 'wide', 'pnot', 'skip', 'free'].includes(box) ? 'mov' : undefined
  }
  const brand = head.toString('latin1', 8, 12).trim().toLowerCase()
  if (pictureBrands.test(brand)) return undefined
  if (brand === 'qt') return 'mov'
  if (brand.startsWith('3g')) return '3gp'
  return brand.startsWith('m4v') ? 'm4v' : 'mp4'
}

/** A sync byte in front of every packet; cameras put a time stamp of four bytes before it. */
function isTransportStream(head: Buffer): boolean {
  const every = (packet: number, first: number) => {
    const syncs = [0, 1, 2, 3].map((index) => head[first + index * packet])
    return (
      syncs[0] === 0x47 && syncs.every((byte) => byte === 0x47 || byte === undefined) && head.length > packet
    )
  }
  return every(188, 0) || every(192, 4)
}
