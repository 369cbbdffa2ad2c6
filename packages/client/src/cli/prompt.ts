import { AbortedError, KilnError } from '../errors.ts'
import type { Io } from './io.ts'

// Prompts at a terminal. A key is not echoed.

const longestAnswer = 4096

export async function promptLine(io: Io, question: string, hidden: boolean): Promise<string> {
  const { stdin, stderr } = io
  stderr.write(question)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.resume()
  try {
    return await typedLine(io, hidden)
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    stderr.write('\n')
  }
}

function typedLine({ stdin, stderr, signal }: Io, hidden: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let line = ''
    const interrupted = () => end(() => reject(new AbortedError('aborted', 'Interrupted.')))
    const end = (then: () => void) => {
      stdin.off('data', onData)
      signal.removeEventListener('abort', interrupted)
      then()
    }
    const onData = (typed: string) => {
      // A terminal in bracketed paste mode wraps pasted text in these sequences.
      for (const character of typed.replaceAll('\x1b[200~', '').replaceAll('\x1b[201~', '')) {
        if (character === '\r' || character === '\n' || character === '\x04') return end(() => resolve(line))
        if (character === '\x03') return interrupted()
        if (character === '\x7f' || character === '\b') {
          if (line !== '' && !hidden) stderr.write('\b \b')
          line = line.slice(0, -1)
        } else if (character >= ' ' && line.length < longestAnswer) {
          line += character
          if (!hidden) stderr.write(character)
        }
      }
    }
    stdin.on('data', onData)
    signal.addEventListener('abort', interrupted, { once: true })
  })
}

/** Everything on stdin, for a key that comes from a file or a program. */
export async function readShortStdin({ stdin }: Io): Promise<string> {
  let text = ''
  stdin.setEncoding('utf8')
  for await (const piece of stdin) {
    text += piece
    if (text.length > longestAnswer)
      throw new KilnError('invalid-options', 'There is more than a key on stdin.')
  }
  return text.trim()
}
