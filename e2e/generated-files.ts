import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onePage, scannedPage } from '@kiln/test-support/pdf-file.ts'
import type { Bytes } from './service.ts'

// Inputs that need a program to be made.

const inFolder = (make: (folder: string) => Uint8Array): Bytes => {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-e2e-'))
  try {
    return new Uint8Array(make(folder))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A page that is a picture of a line of text. */
export const scan = (line: string): Bytes =>
  inFolder((folder) => {
    const path = join(folder, 'page')
    writeFileSync(`${path}.pdf`, onePage(`BT /F1 24 Tf 72 700 Td (${line}) Tj ET`))
    execFileSync('pdftoppm', ['-r', '150', '-jpeg', '-singlefile', `${path}.pdf`, path])
    return scannedPage(readFileSync(`${path}.jpg`), { width: 1275, height: 1650 })
  })

/** A second of picture and sound. */
export const film = (
  container: string,
  codecs: { video: string; audio: string; subtitles?: string },
): Bytes =>
  inFolder((folder) => {
    const [words, path] = [join(folder, 'words.srt'), join(folder, `film.${container}`)]
    writeFileSync(words, '1\n00:00:00,000 --> 00:00:00,900\nHello there\n\n')
    const { video, audio, subtitles } = codecs
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'testsrc=size=64x48:rate=25:duration=1',
      '-f',
      'lavfi',
      '-i',
      'sine=duration=1:sample_rate=48000',
      ...(subtitles ? ['-i', words] : []),
      '-c:v',
      video,
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      audio,
      ...(subtitles ? ['-c:s', subtitles] : []),
      path,
    ])
    return readFileSync(path)
  })
