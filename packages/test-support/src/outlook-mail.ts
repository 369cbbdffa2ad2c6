import { crc32 } from 'node:zlib'
import { compoundFile, type Storage } from './compound-file.ts'

// A mail as Outlook saves it (.msg), by MS-OXMSG: a storage for each recipient and attachment, a stream for each
// property of no fixed length, and in each storage a list of all properties.

export interface OutlookMail {
  /** `IPM.Note` unless given. */
  messageClass?: string
  /** Further properties by their tags. */
  properties?: readonly (readonly [id: number, value: string])[]
  subject?: string
  sender?: { name: string; address: string }
  recipients?: readonly { name: string; address: string; type: 'to' | 'cc' | 'bcc' }[]
  text?: string
  /** In UTF-8, unless `codePage` is set. */
  html?: Buffer
  rtf?: string
  codePage?: number
  /** Texts as bytes of the code page, as older versions wrote them. */
  encode?: (text: string) => Buffer
  attachments?: readonly { name: string; content: Buffer; id?: string; type?: string }[]
}

/** 16 November 2026, 9:00 UTC, in tenths of a microsecond since 1601. */
const fileTime = BigInt(Date.UTC(2026, 10, 16, 9) + 11_644_473_600_000) * 10_000n

type Property = readonly [id: number, value: string | Buffer | number | bigint | undefined]

export function outlookMail(mail: OutlookMail): Buffer {
  const { recipients = [], attachments = [], encode } = mail
  const kinds = { to: 1, cc: 2, bcc: 3 }
  const storages: [string, Storage][] = [
    ...recipients.map(({ name, address, type }, i): [string, Storage] => [
      `__recip_version1.0_#${hex(i)}`,
      properties(
        8,
        [
          [0x3001, name],
          [0x3003, address],
          [0x39fe, address],
          [0x0c15, kinds[type]],
        ],
        encode,
      ),
    ]),
    ...attachments.map(({ name, content, id, type }, i): [string, Storage] => [
      `__attach_version1.0_#${hex(i)}`,
      properties(
        8,
        [
          [0x3701, content],
          [0x3707, name],
          [0x3712, id],
          [0x370e, type],
          [0x3705, 1],
        ],
        encode,
      ),
    ]),
  ]
  const own = properties(
    32,
    [
      ...([
        [0x001a, mail.messageClass ?? 'IPM.Note'],
        [0x0037, mail.subject],
        [0x1000, mail.text],
        [0x1013, mail.html],
      ] as const),
      ...([
        [0x0c1a, mail.sender?.name],
        [0x0c1f, mail.sender?.address],
        [0x5d01, mail.sender?.address],
      ] as const),
      ...([
        [0x1009, mail.rtf === undefined ? undefined : compressed(mail.rtf)],
        [0x3fde, mail.codePage],
      ] as const),
      ...(mail.properties ?? []),
      ...([
        [0x3ffd, mail.codePage],
        [0x0039, fileTime],
      ] as const),
    ],
    encode,
  )
  const head = own['__properties_version1.0'] as Buffer
  for (const [at, count] of [
    [8, recipients],
    [12, attachments],
    [16, recipients],
    [20, attachments],
  ] as const)
    head.writeUInt32LE(count.length, at)
  const names = Object.fromEntries(
    ['0002', '0003', '0004'].map((n) => [`__substg1.0_${n}0102`, Buffer.alloc(0)]),
  )
  return compoundFile({ '__nameid_version1.0': names, ...own, ...Object.fromEntries(storages) })
}

const hex = (number: number, digits = 8): string => number.toString(16).toUpperCase().padStart(digits, '0')

function properties(
  headBytes: number,
  list: readonly Property[],
  encode: ((text: string) => Buffer) | undefined,
): Storage {
  const streams: Storage = {}
  const rows = [Buffer.alloc(headBytes)]
  for (const [id, value] of list) {
    if (value === undefined) continue
    const row = Buffer.alloc(16)
    const isText = typeof value === 'string'
    const type = isText
      ? encode
        ? 0x1e
        : 0x1f
      : Buffer.isBuffer(value)
        ? 0x102
        : typeof value === 'bigint'
          ? 0x40
          : 3
    row.writeUInt16LE(type, 0)
    row.writeUInt16LE(id, 2)
    row.writeUInt32LE(6, 4)
    if (typeof value === 'number') row.writeUInt32LE(value, 8)
    else if (typeof value === 'bigint') row.writeBigUInt64LE(value, 8)
    else {
      const bytes = isText ? (encode ? encode(value) : Buffer.from(value, 'utf16le')) : value
      row.writeUInt32LE(bytes.length + (isText ? (encode ? 1 : 2) : 0), 8)
      streams[`__substg1.0_${hex(id, 4)}${hex(type, 4)}`] = bytes
    }
    rows.push(row)
  }
  streams['__properties_version1.0'] = Buffer.concat(rows)
  return streams
}

/** By MS-OXRTFCP, every byte for itself. */
function compressed(rtf: string): Buffer {
  const raw = Buffer.from(rtf, 'latin1')
  const pieces: Buffer[] = []
  for (let at = 0; at + 8 <= raw.length; at += 8) pieces.push(Buffer.from([0]), raw.subarray(at, at + 8))
  const rest = raw.subarray(raw.length - (raw.length % 8))
  // A reference to the position of the next byte ends the data; the dictionary starts with 207 bytes.
  const end = Buffer.alloc(2)
  end.writeUInt16BE(((207 + raw.length) % 4096) << 4)
  pieces.push(Buffer.from([1 << rest.length]), rest, end)
  const body = Buffer.concat(pieces)
  const head = Buffer.alloc(16)
  head.writeUInt32LE(body.length + 12, 0)
  head.writeUInt32LE(raw.length, 4)
  head.write('LZFu', 8, 'latin1')
  // Without the turning of bits before and after.
  head.writeUInt32LE(~crc32(body, 0xffffffff) >>> 0, 12)
  return Buffer.concat([head, body])
}
