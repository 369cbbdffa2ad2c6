import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMail } from '../../catalog/opened-first.ts'
import { internalPageOptions } from '../../catalog/options/internal.ts'
import { argumentsOf } from '../../catalog/options/option.ts'
import { type PageArgument, pageOptions } from '../../catalog/options/pages.ts'
import type { PrewarmedProgram } from '../../sandbox/prewarmed-process.ts'
import { askVersion } from '../ask-version.ts'
import type { Engine, EngineParts, EngineRun } from '../engine.ts'
import type { Fonts } from '../fonts.ts'
import { createPandoc, type Pandoc, toSelfContainedHtml } from '../pandoc/run-pandoc.ts'
import { isArchive, openArchive, writeMailPage } from '../sandboxed-program.ts'
import { archiveName, chromiumSandbox, findChromium, printArchive, printerOf } from './print.ts'
import type { writeWebArchive } from './web-archive.ts'

// Pages to PDF. An HTML file is printed as its author made it, and so is a mail, below its heads. Markdown, EPUB, RST
// and LaTeX become a page by way of pandoc, set in print.css.

const outputName = 'output.pdf'
const archiveModule = import.meta.resolve('./web-archive.ts')
const printStyle = fileURLToPath(new URL('./print.css', import.meta.url))
const pageStyle = fileURLToPath(new URL('./page.css', import.meta.url))

export function createChromiumEngine(parts: EngineParts, chromium = findChromium()): Engine {
  let known: { fonts: Fonts; printer: PrewarmedProgram } | undefined
  /** The same object while the fonts are the same: a pre-warmed process is found by it. */
  const printer = () => {
    const fonts = parts.fonts()
    if (known?.fonts !== fonts) known = { fonts, printer: printerOf(chromium, fonts) }
    return known.printer
  }
  const pandoc = createPandoc(parts.sandbox)
  return {
    name: 'chromium',
    // A book goes through pandoc first, and each of the two programs may take what pandoc's own budget allows it.
    budget: { seconds: 20, secondsPerMegabyte: 75 },

    async convert(run) {
      const argument = argumentsOf([...pageOptions, ...internalPageOptions], run.pair, run.options)
      const isPage = run.from === 'html' || isMail(run.from)
      const ownStyle = isPage && !argument.print ? await readFile(pageStyle, 'utf8') : ''
      const style = ownStyle + optionStyle(argument)
      if (run.from === 'html' && (await isArchive(run))) await openPage(run, style, argument)
      else {
        const page = isPage ? await pageOf(run) : await bookOf(run, pandoc, argument)
        const archive = join(run.outFolder, archiveName)
        await run.inThread<typeof writeWebArchive>(archiveModule, 'writeWebArchive', page, archive, style)
      }
      const withContents = isPage && argument.toc === true
      const { version, ...seen } = await printArchive(run, printer(), outputName, {
        withContents,
        settings: argument.print,
      })
      // For a book pandoc has reported its content: the page itself has nothing that cannot be displayed.
      run.note({ version: version ?? '', ...(isPage ? seen : {}) })
      return outputName
    },

    prewarmedPrograms: async () => [printer()],

    async version() {
      const spec = { ...chromiumSandbox(parts.fonts()), program: chromium, args: ['--version'] }
      const advice = 'Chromium does not start. Install the package chromium-headless-shell.'
      return (await askVersion(parts, spec, /Chromium \d+(\.\d+)*/, advice)).version
    },
  }
}

/** A page that came with its styles and pictures, as a web archive. */
async function openPage(run: EngineRun, style: string, { print }: PageArgument): Promise<void> {
  await writeFile(join(run.outFolder, 'style.css'), style, { flag: 'wx', mode: 0o644 })
  const extras = (['header', 'footer', 'markdown'] as const).filter((name) => print?.[name])
  await openArchive(run, [
    '--web-archive',
    `/out/${archiveName}`,
    '--style',
    '/out/style.css',
    ...extras.map((name) => `--${name}`),
  ])
}

/** The host path of the page: the uploaded one, or that of a mail. */
async function pageOf(run: EngineRun): Promise<string> {
  if (isMail(run.from)) {
    await writeMailPage(run, 'mail.html', ['--title'])
    return join(run.outFolder, 'mail.html')
  }
  return join(run.inFolder, run.inputName)
}

async function bookOf(run: EngineRun, pandoc: Pandoc, { toc = true }: PageArgument): Promise<string> {
  const name = await toSelfContainedHtml(run, {
    pandoc,
    styleSheet: printStyle,
    outputName: 'page.html',
    options: toc ? ['--toc', '--toc-depth=3'] : [],
  })
  run.onProgress(0.5)
  return join(run.outFolder, name)
}

/** The caller's options as a style sheet. It precedes the styles of the page, and overrides them with !important. */
function optionStyle({ paper, margin, toc, pageNumbers }: PageArgument): string {
  const declarations = [
    ...(paper ? [`size: ${paper.size ?? 'A4'} ${paper.landscape ? 'landscape' : 'portrait'}`] : []),
    ...(margin === undefined ? [] : [`margin: ${margin}`]),
  ].map((each) => `${each} !important;`)
  const numbers = pageNumbers === undefined ? '' : numberBox(pageNumbers)
  const rules = [
    ...(declarations.length > 0 || numbers ? [`@page { ${declarations.join(' ')} ${numbers} }`] : []),
    // The first page of a book has a separate rule.
    ...(numbers ? [`@page :first { ${numbers} }`] : []),
    // Books hide a short one.
    ...(toc ? ['#TOC { display: block !important; }'] : []),
  ]
  return rules.join('\n')
}

const numberBox = (shown: boolean): string =>
  `@bottom-center { content: ${shown ? 'counter(page)' : 'none'} !important; font-size: 9pt; }`
