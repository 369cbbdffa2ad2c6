import { execFile } from 'node:child_process'
import { decompressRTF } from '@kenjiuno/decompressrtf'
import { deEncapsulateSync } from 'rtf-stream-parser'
import { encodingName } from '../../catalog/encoding/encoding-names.ts'
import type { Body } from './mail.ts'

// Outlook keeps the body as compressed RTF: RTF that was written as such, or HTML or plain text that is encapsulated in it.

const maxHtmlBytes = 64 * 1024 * 1024

/** The body; undefined when the RTF cannot be read. */
export async function rtfBody(compressed: Uint8Array): Promise<Body | undefined> {
  try {
    const rtf = Buffer.from(decompressRTF([...compressed]))
    if (!rtf.toString('latin1', 0, 5).startsWith('{\\rtf')) return undefined
    return encapsulated(rtf) ?? { html: await rtfToHtml(rtf) }
  } catch (error) {
    process.stderr.write(`The RTF body could not be read: ${String(error)}\n`)
    return undefined
  }
}

function encapsulated(rtf: Buffer): Body | undefined {
  if (!/\\from(?:html|text)/.test(rtf.toString('latin1', 0, 4096))) return undefined
  const { mode, text } = deEncapsulateSync(rtf, { decode, mode: 'either', warn: () => undefined })
  return mode === 'html' ? { html: String(text) } : { text: String(text) }
}

const decode = (bytes: Buffer, name: string): string =>
  new TextDecoder(encodingName(name) ?? 'windows-1252').decode(bytes)

/** By pandoc, in the sandbox of this program. */
function rtfToHtml(rtf: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const args = ['--sandbox', '--from=rtf', '--to=html']
    const program = execFile('pandoc', args, { maxBuffer: maxHtmlBytes }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    )
    program.stdin?.end(rtf)
  })
}
