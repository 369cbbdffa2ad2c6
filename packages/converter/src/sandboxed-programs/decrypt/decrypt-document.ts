import { type OleStream, readOleRoot } from '../../catalog/file-types/ole.ts'
import { uploadOf } from '../../catalog/file-types/upload.ts'
import { ConversionFailed } from '../../failure.ts'
import { decryptAgile } from './agile.ts'
import { damagedEncryption, unsupportedEncryption } from './errors.ts'
import { decryptWorkbook } from './excel.ts'
import { decryptPresentation } from './powerpoint.ts'
import { decryptStandard } from './standard.ts'
import { decryptWord, tableName } from './word.ts'

// Documents whose encryption LibreOffice does not read, or not in every form: Office Open XML, which is then a package
// inside a compound file, and binary documents. OpenDocument and documents of before 1997 are decrypted by LibreOffice.

/** The document without its encryption. */
export async function decryptDocument(file: Buffer, password: string): Promise<Buffer> {
  try {
    const { streams } = await readOleRoot(uploadOf(file))
    const info = streams.get('EncryptionInfo')
    const encrypted = streams.get('EncryptedPackage')
    if (info && encrypted) return decryptPackage(await wholeOf(info), await wholeOf(encrypted), password)
    if (streams.has('PowerPoint Document')) return await decryptPowerPoint(file, streams, password)
    if (streams.has('WordDocument')) return await decryptText(file, streams, password)
    const workbook = streams.get('Workbook') ?? streams.get('Book')
    if (!workbook) throw unsupportedEncryption('neither a package nor a document')
    return await decryptSheets(file, workbook, password)
  } catch (error) {
    // A damaged header makes Node's functions throw other errors.
    throw error instanceof ConversionFailed ? error : damagedEncryption(error)
  }
}

const wholeOf = (stream: OleStream): Promise<Buffer> => stream.start(stream.size)

function decryptPackage(info: Buffer, encrypted: Buffer, password: string): Buffer {
  const [major, minor] = [info.readUInt16LE(0), info.readUInt16LE(2)]
  if (major === 4 && minor === 4) return decryptAgile(info.subarray(8), encrypted, password)
  if (minor === 2 && major >= 2 && major <= 4) return decryptStandard(info.subarray(4), encrypted, password)
  throw unsupportedEncryption(`version ${major}.${minor}`)
}

type Streams = ReadonlyMap<string, OleStream>

const readerOf = (streams: Streams) => async (name: string) => {
  const stream = streams.get(name)
  return stream && { stream, bytes: Buffer.from(await wholeOf(stream)) }
}

async function decryptText(file: Buffer, streams: Streams, password: string): Promise<Buffer> {
  const read = readerOf(streams)
  const text = await read('WordDocument')
  const table = text && (await read(tableName(text.bytes)))
  const data = await read('Data')
  if (!text || !table) throw damagedEncryption('a stream is missing')
  decryptWord({ text: text.bytes, table: table.bytes, data: data?.bytes }, password)
  for (const each of [text, table, data]) if (each) await each.stream.overwrite(each.bytes, file)
  return file
}

/** A workbook that is only write-protected is encrypted with a well-known default password. */
const passwordOfReadOnly = 'VelvetSweatshop'

async function decryptSheets(file: Buffer, workbook: OleStream, password: string): Promise<Buffer> {
  const encrypted = await wholeOf(workbook)
  let bytes = Buffer.from(encrypted)
  try {
    decryptWorkbook(bytes, password)
  } catch (error) {
    bytes = Buffer.from(encrypted)
    try {
      decryptWorkbook(bytes, passwordOfReadOnly)
    } catch {
      // Neither password fits: report the error for the caller's.
      throw error
    }
  }
  await workbook.overwrite(bytes, file)
  return file
}

async function decryptPowerPoint(file: Buffer, streams: Streams, password: string): Promise<Buffer> {
  const read = readerOf(streams)
  const document = await read('PowerPoint Document')
  const currentUser = await read('Current User')
  const pictures = await read('Pictures')
  if (!document || !currentUser) throw damagedEncryption('a stream is missing')
  decryptPresentation(
    { currentUser: currentUser.bytes, document: document.bytes, pictures: pictures?.bytes },
    password,
  )
  // RC4 keeps lengths, so every stream stays in its sectors.
  for (const each of [document, currentUser, pictures])
    if (each) await each.stream.overwrite(each.bytes, file)
  hideSummary(file)
  return file
}

/** LibreOffice refuses a presentation with this stream, which holds nothing but properties. */
function hideSummary(file: Buffer): void {
  const name = Buffer.from('EncryptedSummary\0', 'utf16le')
  const at = file.indexOf(name)
  // One letter later in the alphabet: the order of the directory stays the same.
  if (at !== -1) file.write('z', at + name.length - 4, 'utf16le')
}
