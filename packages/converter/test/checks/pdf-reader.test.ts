import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openTestConverter, pairOf } from '@kiln/test-support/test-converter.ts'
import { expect, test } from 'vitest'
import type { EngineMaker } from '../../src/engines/engine.ts'
import { pdf, saying } from './pdf-pages.ts'

test('a conversion starts the PDF reader and no other process for its check', async () => {
  const opened: string[] = []
  const engine: EngineMaker = ({ sandbox }) => {
    const { open } = sandbox
    sandbox.open = (program, folders) => {
      opened.push(program.program)
      return open(program, folders)
    }
    return {
      name: 'libreoffice',
      budget: { seconds: 20, secondsPerMegabyte: 0 },
      async convert({ outFolder }) {
        await writeFile(join(outFolder, 'output.pdf'), pdf(saying('Some text')))
        return 'output.pdf'
      },
      version: async () => '1',
    }
  }
  const kiln = await openTestConverter({ pairs: [pairOf('txt', 'pdf')], engines: [engine] })
  try {
    // The first one finds out whether programs can be preloaded in this sandbox.
    await kiln.convert('Some text', 'txt', 'pdf')
    opened.length = 0
    await kiln.convert('Some text', 'txt', 'pdf')
    expect(opened).toEqual(['/usr/bin/pdftotext'])
  } finally {
    await kiln.close()
  }
})
