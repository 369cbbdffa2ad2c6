import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pdfText } from '@kiln/test-support/pdf-facts.ts'
import { onePage } from '@kiln/test-support/pdf-file.ts'
import { type Content, openTestConverter, pairOf } from '@kiln/test-support/test-converter.ts'
import { expect, test, vi } from 'vitest'
import type { FormatName } from '../src/catalog/pairs.ts'
import { processesOfSandbox } from '../src/sandbox/process-tree.ts'
import { contentsOf } from './attacks/world.ts'

// Every engine with pre-warmed processes, with two documents of its kind: all processes of the first document have
// ended before the second starts, and nothing of the first is in the output of the second. process-pool.test.ts covers
// documents that try to leave something behind; engines/libreoffice-warm covers LibreOffice, which forks.

vi.setConfig({ testTimeout: 120_000 })

type Document = (word: string, folder: string) => Content | Promise<Content>

const film: Document = async (word, folder) => {
  const path = join(folder, `${word}.mkv`)
  const picture = ['-f', 'lavfi', '-i', 'color=red:size=64x64:d=1:r=5', '-c:v', 'libx264']
  await promisify(execFile)('ffmpeg', ['-v', 'error', ...picture, '-metadata', `title=${word}`, path])
  return { path }
}

const documents: [FormatName, FormatName, Document][] = [
  ['html', 'pdf', (word) => `<p>The word is ${word}.`],
  ['pdf', 'docx', (word) => onePage(`BT /F1 12 Tf 72 700 Td (The word is ${word}.) Tj ET`)],
  ['md', 'html', (word) => `The word is ${word}.`],
  ['mkv', 'mp4', film],
]

const textOf = async (path: string) =>
  path.endsWith('.pdf') ? pdfText(path) : contentsOf(await readFile(path))

function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    // The process has ended.
    return false
  }
}

/** Starts all sandboxes of this process, and stays. It may have been started before by another file. */
const isLauncher = (pid: number): boolean =>
  new RegExp(`\\(kiln-launcher\\) \\w ${process.pid} `).test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

test.each(documents)('nothing of one %s reaches the next on its way to %s', async (from, to, document) => {
  // Files of tests share this process.
  const others = new Set(processesOfSandbox(process.pid))
  const kiln = await openTestConverter({ pairs: [pairOf(from, to)], withPool: true })
  try {
    await kiln.converter.prepare()
    const waiting = processesOfSandbox(process.pid).filter(
      (pid) => !others.has(pid) && isAlive(pid) && !isLauncher(pid),
    )
    expect(waiting.length).toBeGreaterThan(0)
    const first = await kiln.convert(await document('Marmalade', kiln.folder), from, to)
    expect(await textOf(first)).toContain('Marmalade')
    expect(waiting.filter(isAlive)).toEqual([])
    const second = await textOf(await kiln.convert(await document('Persimmon', kiln.folder), from, to))
    expect(second).toContain('Persimmon')
    expect(second).not.toContain('Marmalade')
    expect(kiln.converter.waiting()).toMatchObject([{ taken: 2, missed: 0 }])
  } finally {
    await kiln.close()
  }
})
