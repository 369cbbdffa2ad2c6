import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'

// LibreOffice and the program itself, as the tests use them.

export const program = new URL('../build/main.js', import.meta.url).pathname

export interface Workshop {
  folder: string
  /** Converts with LibreOffice; the result's path. */
  office(input: string, to: string): string
  /** The same for many files by one LibreOffice. */
  officeAll(inputs: readonly string[], to: string): string[]
  /** Runs the program on a file; throws when it fails. */
  convert(input: string, output: string): string
  write(name: string, data: string | Uint8Array): string
  close(): void
}

/** What `office` takes to make a PDF with options of Writer's export. */
export function pdfWith(options: Record<string, boolean | string>): string {
  const typed = Object.entries(options).map(([name, value]) => [
    name,
    { type: typeof value, value: String(value) },
  ])
  return `pdf:writer_pdf_Export:${JSON.stringify(Object.fromEntries(typed))}`
}

export function openWorkshop(): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-pdf-'))
  const officeAll = (inputs: readonly string[], to: string) => {
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
    execFileSync(
      'soffice',
      [profile, '--headless', '--norestore', '--convert-to', to, '--outdir', folder, ...inputs],
      { stdio: 'ignore', timeout: 120_000 },
    )
    return inputs.map((input) => input.replace(/\.[^.]+$/, `.${to.split(':')[0]}`))
  }
  return {
    folder,
    office: (input, to) => officeAll([input], to)[0] as string,
    officeAll,
    convert(input, output) {
      const path = join(folder, output)
      execFileSync(process.execPath, [program, input, path], {
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: 120_000,
      })
      return path
    },
    write(name, data) {
      const path = join(folder, name)
      writeFileSync(path, data)
      return path
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The entries of a zip file, by its directory. */
export function unzip(path: string): Map<string, Buffer> {
  const file = readFileSync(path)
  const out = new Map<string, Buffer>()
  const end = file.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  let at = file.readUInt32LE(end + 16)
  for (let n = file.readUInt16LE(end + 10); n > 0; n--) {
    const [method, packed] = [file.readUInt16LE(at + 10), file.readUInt32LE(at + 20)]
    const [nameLength, extra, comment] = [
      file.readUInt16LE(at + 28),
      file.readUInt16LE(at + 30),
      file.readUInt16LE(at + 32),
    ]
    const local = file.readUInt32LE(at + 42)
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    const body = file.subarray(start, start + packed)
    out.set(file.toString('utf8', at + 46, at + 46 + nameLength), method === 8 ? inflateRawSync(body) : body)
    at += 46 + nameLength + extra + comment
  }
  return out
}

/** The paragraphs of a docx as text. */
export function paragraphsOf(path: string): string[] {
  const xml = unzip(path).get('word/document.xml')?.toString('utf8') ?? ''
  const plain = (t: string): string =>
    t.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  return [...xml.matchAll(/<w:p[ >].*?<\/w:p>/gs)]
    .map((m) => plain([...m[0].matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g)].map((t) => t[1]).join('')))
    .filter((t) => t.trim())
}
