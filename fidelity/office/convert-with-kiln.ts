import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { engines, openSandbox } from '@kiln/converter'
import { type FormatName, pairs } from '@kiln/converter/catalog'

// Office documents to PDF in the box and by the warm LibreOffice, one after the other, as the service does it.

export interface Document {
  id: string
  path: string
}

/** Writes `folder/ID.pdf` for each, and tells the seconds that it took; a document that fails has no PDF. */
export async function convertWithKiln(
  documents: readonly Document[],
  folder: string,
): Promise<Map<string, number>> {
  const log = { info() {}, warn: (message: string) => console.error(message) }
  const opened = await openSandbox({ allowUnsandboxed: false, log })
  const engine = engines.find(({ name }) => name === 'libreoffice')
  if (!engine) throw new Error('There is no engine called libreoffice.')
  const scratch = await opened.scratchRoot(await mkdtemp(join(tmpdir(), 'kiln-fidelity-')))
  const seconds = new Map<string, number>()
  try {
    await mkdir(folder, { recursive: true })
    await engine.prepare?.(opened.sandbox, scratch)
    for (const { id, path } of documents) {
      const from = extname(path).slice(1) as FormatName
      const pair = pairs.find((each) => each.from === from && each.to === 'pdf')
      if (!pair) throw new Error(`${path} is no office document.`)
      const job = await mkdtemp(join(scratch, 'job-'))
      const [inFolder, outFolder] = [join(job, 'in'), join(job, 'out')]
      for (const made of [inFolder, outFolder]) await mkdir(made)
      const inputName = `input.${from}`
      await copyFile(path, join(inFolder, inputName))
      const started = performance.now()
      try {
        const { signal } = new AbortController()
        const run = { pair, from, to: pair.to, inFolder, inputName, outFolder, signal, onProgress() {} }
        const output = await engine.convert({ ...run, sandbox: opened.sandbox })
        seconds.set(id, (performance.now() - started) / 1000)
        await copyFile(join(outFolder, output), join(folder, `${id}.pdf`))
      } catch (error) {
        console.error(`${id}: ${error instanceof Error ? error.message : error}`)
      }
      await rm(job, { recursive: true })
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
    await opened.close()
  }
  return seconds
}
