import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { toUtf8IfNeeded } from '../../catalog/sniff/to-utf8.ts'
import { askVersion } from '../ask-version.ts'
import type { Engine, EngineParts, EngineRun } from '../engine.ts'
import { toSelfContainedHtml } from '../pandoc/self-contained-html.ts'
import { archiveName, chromiumBox, printArchive } from './print.ts'
import type { writeWebArchive } from './web-archive.ts'

// Pages to PDF. An HTML file is printed as its author made it. Markdown, EPUB, RST and LaTeX become a page
// by way of pandoc, set in print.css.

const outputName = 'output.pdf'
const utf8Module = import.meta.resolve('../../catalog/sniff/to-utf8.ts')
const archiveModule = import.meta.resolve('./web-archive.ts')
const printStyle = fileURLToPath(new URL('./print.css', import.meta.url))
const pageStyle = fileURLToPath(new URL('./page.css', import.meta.url))

export const createChromiumEngine = (parts: EngineParts): Engine => ({
  name: 'chromium',
  budget: { seconds: 20, secondsPerMegabyte: 20 },

  async convert(run) {
    const { sandbox, inFolder, outFolder, signal } = run
    const page = run.from === 'html' ? await pageOf(run) : await bookOf(run)
    const style = run.from === 'html' ? await readFile(pageStyle, 'utf8') : ''
    const archive = join(outFolder, archiveName)
    await run.inThread<typeof writeWebArchive>(archiveModule, 'writeWebArchive', page, archive, style)
    await printArchive({ sandbox, inFolder, outFolder, outputName, signal })
    return outputName
  },

  async version() {
    const box = { ...chromiumBox, program: '/usr/lib/chromium/chromium', args: ['--version'] }
    const advice = 'Chromium does not start. Install the package chromium.'
    return (await askVersion(parts, box, /Chromium \d+(\.\d+)*/, advice)).version
  },
})

/** The host path of the uploaded page in UTF-8. */
async function pageOf(run: EngineRun): Promise<string> {
  const path = join(run.inFolder, run.inputName)
  const copy = join(run.outFolder, 'page-utf8.html')
  const isCopied = await run.inThread<typeof toUtf8IfNeeded>(utf8Module, 'toUtf8IfNeeded', path, true, copy)
  return isCopied ? copy : path
}

async function bookOf(run: EngineRun): Promise<string> {
  const name = await toSelfContainedHtml(run, {
    styleSheet: printStyle,
    outputName: 'page.html',
    tableOfContents: true,
  })
  run.onProgress(0.5)
  return join(run.outFolder, name)
}
