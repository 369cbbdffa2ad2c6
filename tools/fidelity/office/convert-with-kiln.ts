import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { openConverter } from '@kiln/converter'
import { pairs } from '@kiln/converter/catalog'

// Converts office documents to PDF in the sandbox with the warm LibreOffice, sequentially, like the service.

export interface Document {
  id: string
  path: string
}

/** Writes `folder/ID.pdf` for each and returns the seconds per document; a document that fails has no PDF. */
export async function convertWithKiln(
  documents: readonly Document[],
  folder: string,
): Promise<Map<string, number>> {
  const scratch = await mkdtemp(join(tmpdir(), 'kiln-fidelity-'))
  const converter = await openConverter({
    log: { info() {}, warn: (message) => console.error(message) },
    scratch: join(scratch, 'work'),
    cache: join(scratch, 'cache'),
    pairs: pairs.filter(({ engine, to }) => engine === 'libreoffice' && to === 'pdf'),
  })
  // Waiting for an engine does not keep the process alive by itself.
  const awake = setInterval(() => {}, 60_000)
  const seconds = new Map<string, number>()
  try {
    await mkdir(folder, { recursive: true })
    await converter.prepare()
    for (const { id, path } of documents) {
      const pair = pairs.find(({ from, to }) => `.${from}` === extname(path) && to === 'pdf')
      if (!pair) throw new Error(`${path} is no office document.`)
      const output = join(folder, `${id}.pdf`)
      await rm(output, { force: true })
      const started = performance.now()
      try {
        await converter.convertFile({ pair, input: path, output })
        seconds.set(id, (performance.now() - started) / 1000)
      } catch (error) {
        console.error(`${id}: ${error instanceof Error ? error.message : error}`)
      }
    }
  } finally {
    await converter.close()
    clearInterval(awake)
    await rm(scratch, { recursive: true, force: true })
  }
  return seconds
}
