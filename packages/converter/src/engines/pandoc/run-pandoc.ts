import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formats } from '../../catalog/formats.ts'
import { comesWithParts, isMail } from '../../catalog/opened-first.ts'
import { type ConversionFailed, failed } from '../../failure.ts'
import type { Limits, Sandbox, SandboxResult } from '../../sandbox/sandbox.ts'
import type { EngineRun } from '../engine.ts'
import { openPreloaded, type PreloadedProgram, preloadedProgram } from '../preloaded-program.ts'
import { isArchive, openArchive, writeMailPage } from '../sandboxed-program.ts'
import { failureOf } from './failure.ts'
import { pandocFindings } from './findings.ts'
import {
  type InterchangeFormat,
  type InterchangeTarget,
  isInterchangeFormat,
  type MarkdownKind,
  readerOf,
  writerOf,
} from './formats.ts'
import type { makeReadable } from './make-readable.ts'

// Runs pandoc on one file. It is confined twice: by Kiln's sandbox, and by its own `--sandbox`, under which reader and
// writer are pure functions that can access only the files named on the command line. filter/safe-document.lua runs
// between reader and writer, so that the writer gets a document without external references.
//
// `--sandbox` has one gap in packages that install pandoc's data files separately from its program (Debian's): the
// writers of docx, odt and epub do not find their templates, because the pure file system looks for them under
// `data/data/`. Files named by an option are readable, and so is everything in a folder named by an option. So the data
// folder is mounted as `data/data` in the working folder and named by an option that the writer does not use: fonts for
// all but epub, the reference document for epub. Pandoc reads every file of such a folder first, so only folders that
// the writer needs are named. A document from an archive is read in the folder of its parts (sandboxed-programs/open-archive.ts),
// which is made readable in the same way, with the data folder in it. The style sheets of a book have to be in that
// folder too: pandoc's own, and that of the house style. A pure writer has no clock either; stamp-dates.ts sets the
// date afterwards.

const readableModule = import.meta.resolve('./make-readable.ts')
const megabyte = 1024 * 1024

export const defaultLimits: Limits = {
  wallSeconds: 480,
  cpuSeconds: 240,
  memoryBytes: 1536 * megabyte,
  processes: 32,
  fileBytes: 256 * megabyte,
  diskBytes: 512 * megabyte,
  logBytes: 64 * 1024,
}

const dataFolder = '/usr/share/pandoc/data'
const filter = {
  from: fileURLToPath(new URL('filter', import.meta.url)),
  to: '/kiln/filter',
}

export interface PandocJob {
  target: InterchangeTarget
  outputName: string
  /** Further options of ours; nothing from the user. */
  options: readonly string[]
  markdown?: MarkdownKind | undefined
  /** More environment variables for the filter. */
  environment?: Readonly<Record<string, string>> | undefined
  pandoc: Pandoc
  /** A document in the out folder, which is read in place of the input. */
  docxName?: string | undefined
}

/** The program, and the sandbox of all runs. */
export interface Pandoc {
  sandbox: Sandbox
  program: PreloadedProgram
}

export const createPandoc = (sandbox: Sandbox, limits: Limits = defaultLimits): Pandoc => ({
  sandbox,
  program: preloadedProgram('pandoc', { readOnly: [filter], limits }),
})

/** Converts the run's input and leaves `outputName` in its out folder, or throws why not. */
export async function runPandoc(run: EngineRun, job: PandocJob): Promise<void> {
  const from = job.docxName ? 'docx' : isMail(run.from) ? 'html' : run.from
  if (!isInterchangeFormat(from)) throw new Error(`pandoc does not read ${from}`)
  const hasParts = comesWithParts(run.from) && (await isArchive(run))
  const isStyled = isStyledBook(run, job)
  if (isStyled) await showStyle(run)
  if (hasParts) await openArchive(run, isStyled ? ['--css', `/out/${houseStyle}`] : [])
  const source = hasParts ? undefined : await readableSource(run, from, job.docxName)
  const reader = readerOf(from, job.markdown)
  const first = await start(run, job, source, reader)
  const failure = failureOf(first, formats[run.from].label, run.signal)
  if (failure && run.from === 'md' && isBadFrontMatter(first)) {
    // Front matter that is no YAML is common, and the text below it is good: then it is text as well.
    const second = await start(run, job, source, `${reader}-yaml_metadata_block`)
    throwIfAny(failureOf(second, formats.md.label, run.signal))
    run.note(pandocFindings(second.untrustedStderr))
  } else {
    throwIfAny(failure)
    run.note(pandocFindings(first.untrustedStderr))
  }
  // A missing file is reported below.
  const output = await lstat(join(run.outFolder, job.outputName)).catch(() => undefined)
  if (!output?.isFile() || output.size === 0) {
    throw failed.unsupported('The document holds no text that can be converted.')
  }
}

function throwIfAny(failure: ConversionFailed | Error | undefined): void {
  if (failure) throw failure
}

const isBadFrontMatter = ({ exitCode, untrustedStderr }: SandboxResult) =>
  exitCode === 64 && /YAML/i.test(untrustedStderr)

// By default pandoc's runtime spends half of its time on garbage collection, so it gets more memory from the start. The
// nursery has 4 MB, which fits into the CPU cache, and old generations are collected only when they reach 128 MB. A
// short text is converted before 32 MB are used, so nothing is collected. With -V0, which disables the timer, the
// program exits immediately instead of at the next tick.
const shortText = 16 * 1024

/** Without a source it is the one of an archive, among its parts. */
async function start(
  run: EngineRun,
  job: PandocJob,
  source: string | undefined,
  reader: string,
): Promise<SandboxResult> {
  const letIn = job.target === 'epub' ? '--reference-doc' : '--epub-embed-font'
  const args = [
    // The title of a web page is not part of its visible text.
    ...(job.target === 'txt' && run.from === 'html' ? [] : ['--standalone']),
    '--sandbox',
    '--from',
    reader,
    '--to',
    writerOf(job.target, job.markdown),
    ...(run.style.referenceName ? ['--reference-doc', `/in/${run.style.referenceName}`] : []),
    '--lua-filter',
    `${filter.to}/safe-document.lua`,
    ...job.options,
    '--output',
    `/out/${job.outputName}`,
  ]
  const environment = {
    ...job.environment,
    KILN_READER: reader,
    KILN_TARGET: job.target,
    KILN_IDENTIFIER: `urn:uuid:${randomUUID()}`,
    GHCRTS: await runtimeOptions(run),
  }
  const styled = isStyledBook(run, job) ? bookStyle : []
  if (source === undefined)
    return startBeside(run, job, [...args, ...styled, `${letIn}=.`, '.kiln-source'], environment)
  const prewarmed = await openPreloaded(job.pandoc.sandbox, run, job.pandoc.program)
  const hasData = await showData(run.outFolder)
  const data = styled.length > 0 ? [`${letIn}=data`] : hasData ? letInData(job.target) : []
  return prewarmed.give({ args: [...args, ...styled, ...data, source], environment })
}

/** Only one reference document can be named, so a book gets the whole folder. */
const letInData = (target: InterchangeTarget): string[] =>
  target === 'epub'
    ? ['--reference-doc=data/data']
    : ['translations', ...(target === 'docx' || target === 'odt' ? [target] : [])].map(
        (folder) => `--epub-embed-font=data/data/${folder}`,
      )

async function runtimeOptions({ from, inFolder, inputName }: EngineRun): Promise<string> {
  const { size } = await lstat(join(inFolder, inputName))
  return `-V0 -O128m ${formats[from].isText && size <= shortText ? '-A32m' : '-A4m'}`
}

const isStyledBook = ({ style }: EngineRun, { target }: PandocJob) =>
  target === 'epub' && style.css !== undefined

const houseStyle = 'data/house-style.css'
const bookStyle = [...(existsSync(dataFolder) ? ['--css', 'data/data/epub.css'] : []), '--css', houseStyle]

/** Puts the style sheet of a book into the folder that is let in. Before any program has seen the document. */
async function showStyle({ style, outFolder }: EngineRun): Promise<void> {
  await mkdir(join(outFolder, 'data'))
  await writeFile(join(outFolder, houseStyle), style.css ?? '', { flag: 'wx', mode: 0o644 })
}

/** In the folder of the document, whose files are let in whole. No program waits there. */
function startBeside(
  run: EngineRun,
  { pandoc }: PandocJob,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<SandboxResult> {
  const { program, ...plain } = pandoc.program.plain
  const { inFolder, outFolder, signal } = run
  return run.sandbox.run({
    ...plain,
    inFolder,
    outFolder,
    signal,
    program: '/usr/bin/env',
    args: ['--chdir=/out/main', program, ...args],
    environment: { ...plain.environment, ...environment, KILN_BESIDE: 'yes' },
  })
}

/** Shows pandoc's data files in the working directory. */
export async function showData(outFolder: string): Promise<boolean> {
  if (!existsSync(dataFolder)) return false
  await mkdir(join(outFolder, 'data')).catch(ignoreExisting)
  // A program that read the document before may have left a link there, which would be followed.
  if (!(await lstat(join(outFolder, 'data'))).isDirectory())
    throw failed.corruptInput('The file could not be opened.', 'data in the output directory is no directory')
  await symlink(dataFolder, join(outFolder, 'data', 'data')).catch(ignoreExisting)
  return true
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

/** The path of the input in the sandbox: a mail as a page, OpenDocument as a package, others as pandoc reads them. */
async function readableSource(run: EngineRun, from: InterchangeFormat, docxName?: string): Promise<string> {
  if (isMail(run.from)) {
    await writeMailPage(run, 'mail.html', [])
    return '/out/mail.html'
  }
  const { inFolder, outFolder, inputName } = run
  const given = docxName === undefined ? join(inFolder, inputName) : join(outFolder, docxName)
  const shown = docxName === undefined ? `/in/${inputName}` : `/out/${docxName}`
  const changed = await run.inThread<typeof makeReadable>(
    readableModule,
    'makeReadable',
    from,
    given,
    outFolder,
  )
  return changed === undefined ? shown : `/out/${changed}`
}

export interface HtmlOptions extends Omit<PandocJob, 'target'> {
  /** Host path of a CSS file; it becomes a <style> element, with the house style behind it; the only style but for code colours. */
  styleSheet: string
}

/**
 * Turns the run's input (md, epub, rst, latex, docx or odt) into one HTML file in its out folder:
 * pictures as data: URIs, formulas as MathML, one style sheet, no script, nothing to fetch.
 * Throws ConversionFailed like an engine does. Returns the file's name; the next step opens it as
 * untrusted. The page is pandoc's: <header id="title-block-header"> with .title, .subtitle, .author and
 * .date where the document has them, <nav id="TOC"> with `--toc`, then the body.
 */
export async function toSelfContainedHtml(
  run: EngineRun,
  { styleSheet, options, ...job }: HtmlOptions,
): Promise<string> {
  const files = [styleSheet, new URL('./formulas-and-notes.css', import.meta.url)]
  const sheets = [...(await Promise.all(files.map((file) => readFile(file, 'utf8')))), run.style.css ?? '']
  // Pandoc accepts complete elements only.
  const style = `<style>\n${sheets.join('\n')}\n</style>\n`
  await writeFile(join(run.outFolder, 'style.html'), style, { flag: 'wx', mode: 0o644 })
  const fixed = ['--mathml', '--wrap=preserve', '--include-in-header', '/out/style.html']
  await runPandoc(run, { ...job, target: 'html', options: [...fixed, ...options] })
  return job.outputName
}
