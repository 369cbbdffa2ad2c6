import { createReadStream } from 'node:fs'

/** Text outputs are valid UTF-8 without NUL bytes, and say something. */
export async function checkText(path: string): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let saysSomething = false
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    if (chunk.includes(0)) throw new Error('the text holds NUL bytes')
    const text = decoder.decode(chunk, { stream: true })
    saysSomething ||= /\S/.test(text)
  }
  decoder.decode()
  if (!saysSomething) throw new Error('the text is blank')
}
