import { type OleStream, readOleRoot } from '../../catalog/sniff/ole.ts'
import { uploadOf } from '../../catalog/sniff/upload.ts'
import { ConversionFailed } from '../../failure.ts'
import { decryptAgile } from './agile.ts'
import { damagedEncryption, unsupportedEncryption } from './errors.ts'
import { decryptPresentation } from './powerpoint.ts'
import { decryptStandard } from './standard.ts'

// Documents whose encryption LibreOffice does not read, or not in every form: Office Open XML, which is then a package
// inside a compound file, and binary presentations. Binary texts and workbooks, and OpenDocument, are decrypted by
// LibreOffice.

/** The document without its encryption. */
export async function decryptDocument(file: Buffer, password: string): Promise<Buffer> {
  try {
    const { streams } = await readOleRoot(uploadOf(file))
    const info = streams.get('EncryptionInfo')
    const encrypted = streams.get('EncryptedPackage')
    if (info && encrypted) return decryptPackage(await wholeOf(info), await wholeOf(encrypted), password)
    const document = streams.get('PowerPoint Document')
    if (!document) throw unsupportedEncryption('neither a package nor a presentation')
    return await decryptPowerPoint(file, streams, password)
  } catch (error) {
    // What a damaged header makes Node's functions throw.
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

async function decryptPowerPoint(
  file: Buffer,
  streams: ReadonlyMap<string, OleStream>,
  password: string,
): Promise<Buffer> {
  const read = async (name: string) => {
    const stream = streams.get(name)
    return stream && { stream, bytes: Buffer.from(await wholeOf(stream)) }
  }
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
