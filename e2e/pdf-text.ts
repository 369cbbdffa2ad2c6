import { spawn } from 'node:child_process'

/** The text of a PDF, by poppler, which the service's own set-up installs. */
export const pdfText = (bytes: Uint8Array): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn('pdftotext', ['-', '-'], { stdio: ['pipe', 'pipe', 'pipe'] })
    let text = ''
    let complaints = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      complaints += chunk.toString()
    })
    child.once('error', reject)
    child.once('close', (status) =>
      status === 0 ? resolve(text) : reject(new Error(`pdftotext: ${complaints}`)),
    )
    child.stdin.on('error', () => {})
    child.stdin.end(bytes)
  })
