import { chmod, copyFile, open } from 'node:fs/promises'
import { type OleStream, readOleRoot } from '../../../catalog/file-types/ole.ts'
import { withUpload } from '../../../catalog/file-types/upload.ts'

// A doc file lists its fields in tables of marks: begin, separator, end. A begin mark contains the field type. For an
// unknown type, the stored text is displayed. One byte per field is changed in place. [MS-DOC], PlcFld.

/**
 * Save date, print date, file name, date, time; then title, subject, keywords, comments, revision, editing time, words,
 * characters, template.
 */
const computed = new Set([22, 23, 29, 31, 32, 15, 16, 18, 19, 24, 25, 27, 28, 30])
const unknownKind = 2
const beginMark = 0x13

/** Offsets in the file information block of the tables for the body, headers, notes and boxes. */
const tableOffsets = [0x11a, 0x122, 0x12a, 0x132]
const maxTableBytes = 4 * 1024 * 1024

/** Writes a copy to `target` with its dates kept; false if there are none. */
export async function keepInBinaryWord(source: string, target: string): Promise<boolean> {
  const positions = await withUpload(source, async (upload) => {
    const { streams } = await readOleRoot(upload)
    const fib = await streams.get('WordDocument')?.start(0x200)
    // Word 97 and later; earlier versions have the tables at other offsets.
    if (!fib || fib.length < 0x200 || fib.readUInt16LE(2) < 193) return []
    const tables = streams.get((fib.readUInt16LE(10) & 0x0200) !== 0 ? '1Table' : '0Table')
    if (!tables) return []
    const found: number[] = []
    for (const at of tableOffsets) {
      found.push(...(await kindsIn(tables, fib.readUInt32LE(at), fib.readUInt32LE(at + 4))))
    }
    return found
  })
  if (positions.length === 0) return false
  await copyFile(source, target)
  // An upload is read-only, and so is its copy.
  await chmod(target, 0o666)
  const file = await open(target, 'r+')
  try {
    for (const position of positions) await file.write(Buffer.from([unknownKind]), 0, 1, position)
  } finally {
    await file.close()
  }
  return true
}

/** File offsets of the types of computed fields in one table. */
async function kindsIn(tables: OleStream, start: number, length: number): Promise<number[]> {
  // n + 1 positions of four bytes, then n marks of two.
  const marks = Math.floor((length - 4) / 6)
  if (marks < 1 || start + length > Math.min(tables.size, maxTableBytes)) return []
  const table = (await tables.start(start + length)).subarray(start)
  const positions: number[] = []
  for (let mark = 0; mark < marks; mark += 1) {
    const at = 4 * (marks + 1) + 2 * mark
    if (((table[at] ?? 0) & 0x1f) !== beginMark || !computed.has(table[at + 1] ?? 0)) continue
    positions.push(await tables.locate(start + at + 1))
  }
  return positions
}
