import { execFile } from 'node:child_process'
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { dirname, extname, join, posix } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { detectEncoding } from '../catalog/encoding/detect-encoding.ts'
import { toUtf8 } from '../catalog/encoding/to-utf8.ts'
import { findMain } from '../catalog/main-file.ts'
import { comesWithParts } from '../catalog/opened-first.ts'
import { writeWebArchive } from '../engines/chromium/web-archive.ts'
import { readableHtml } from '../engines/pandoc/readable-html.ts'
import { readableMarkdown } from '../engines/pandoc/readable-markdown.ts'
import { definitionsFor, readableTex } from '../engines/pandoc/readable-tex.ts'
import { shownDirectives } from '../engines/pandoc/sphinx-directives.ts'
import { failed } from '../failure.ts'
import { readArchive } from './archive/read-archive.ts'
import { partTypeOf } from './archive/web-parts.ts'
import { reportFailure } from './report-failure.ts'

// Extracts a document that was uploaded as a ZIP archive with its parts. Runs in the sandbox, in the output directory.
//
//   open-archive.mjs IN FORMAT              extracts the parts to `source`. `main` becomes a symbolic link to the
//                                           directory of the document, which is `.kiln-source` there, in UTF-8.
//                                           Hidden files of the archive are not extracted, so names do not clash
//     --css FILE                            copies this style sheet next to pandoc's data files
//   open-archive.mjs IN html --web-archive OUT --style FILE
//                                           writes the page with its parts as a web archive, with this style sheet
//     --encoding NAME                       of text files that do not declare theirs
//     --header --footer                     extracts header.html and footer.html for the printer
//     --markdown                            replaces references to Markdown files in the page by their HTML

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    css: { type: 'string' },
    encoding: { type: 'string' },
    footer: { type: 'boolean' },
    header: { type: 'boolean' },
    markdown: { type: 'boolean' },
    style: { type: 'string', default: '' },
    'web-archive': { type: 'string' },
  },
})
const [input = '', format = ''] = positionals
const maxFigures = 100
const decoder = new TextDecoder('latin1')

/** Parts that pandoc or Chromium reads as text. */
const textParts = /^\.(?:tex|ltx|latex|sty|cls|bib|rst|rest|txt|inc|csv|md|markdown|html?|xhtml)$/i

/** Changes of text parts, by the format of the document. */
const readableFor: Readonly<Record<string, (text: string) => string>> = {
  // Chromium reads a web archive.
  ...(options['web-archive'] === undefined && { html: readableHtml }),
  latex: readableTex,
  md: readableMarkdown,
  rst: shownDirectives,
}

await reportFailure(async () => {
  if (!comesWithParts(format)) throw new Error(`no archive of ${format}`)
  const files = await readArchive(input)
  const main = findMain([...files.keys()], format, (path) => decoder.decode(files.get(path)))
  if (options['web-archive'] !== undefined) return writePage(files, main, options['web-archive'])
  refuseDataFolder([...files.keys()], dirname(main))
  for (const [path, bytes] of files) await writePart(join('source', path), bytes)
  if (format === 'latex') {
    await renderFigures([...files.keys()])
    await defineCommands(files, join('source', main))
  }
  await symlink(join('source', dirname(main)), 'main')
  const text = (files.get(main) as Buffer).toString('latin1')
  await writeFile('main/.kiln-folders', pictureFolders(text), { flag: 'wx' })
  await rename(join('source', main), 'main/.kiln-source')
  // Where pandoc looks for its data files: see run-pandoc.ts.
  await mkdir('main/data', { recursive: true })
  await symlink('/usr/share/pandoc/data', 'main/data/data')
  // Not copyFile: it sets permissions, which the sandbox does not allow.
  if (options.css !== undefined) await writeFile('main/data/house-style.css', await readFile(options.css))
})

/** Before the document, for all its parts. */
async function defineCommands(files: ReadonlyMap<string, Buffer>, main: string): Promise<void> {
  const texts = [...files].filter(([path]) => textParts.test(extname(path)))
  const definitions = definitionsFor(texts.map(([, bytes]) => readableTex(bytes.toString('latin1'))))
  await writeFile(main, definitions + (await readFile(main, 'latin1')), 'latin1')
}

/** Pandoc looks for its data files in `data/data` beside the document. */
function refuseDataFolder(paths: readonly string[], folder: string): void {
  const needed = posix.join(folder, 'data/data')
  if (paths.some((path) => path === posix.dirname(needed) || `${path}/`.startsWith(`${needed}/`)))
    throw failed.unsupported(
      'The ZIP archive holds a folder "data" with a folder "data" in it beside the document, which the service needs itself. Rename one of them.',
    )
}

async function writePart(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes, { flag: 'wx' })
  if (!textParts.test(extname(path))) return
  const found = await detectEncoding(path)
  if (found && (found.name !== 'utf-8' || found.hasByteOrderMark))
    await toUtf8(path, found.by === 'detected' ? (options.encoding ?? found.name) : found.name)
  const encoding = format === 'html' ? 'utf8' : 'latin1'
  const text = await readFile(path, encoding)
  // Null characters mean nothing in text, and an output with them would fail its check.
  const withoutNulls = text.replaceAll('\0', '')
  const isOther = format === 'html' && !/\.x?html?$/i.test(path)
  const readable = (isOther ? undefined : readableFor[format]?.(withoutNulls)) ?? withoutNulls
  if (readable !== text) await writeFile(path, readable, encoding)
}

/** Renders PDF figures as PNG, because only LaTeX includes PDF pages as pictures. The report counts those that fail as missing. */
async function renderFigures(paths: readonly string[]): Promise<void> {
  const figures = paths.filter((path) => /\.pdf$/i.test(path)).slice(0, maxFigures)
  for (const path of figures) {
    const file = join('source', path)
    await promisify(execFile)('pdftocairo', ['-png', '-r', '200', '-singlefile', file, file]).catch(
      (error: unknown) => process.stderr.write(`${path} could not be rendered: ${String(error)}\n`),
    )
  }
}

/** Further directories in which LaTeX looks for pictures. */
function pictureFolders(text: string): string {
  const named = /\\graphicspath\s*\{((?:\s*\{[^{}]{0,200}\})+)/.exec(text)?.[1] ?? ''
  return [...named.matchAll(/\{([^{}]*)\}/g)].map(([, folder]) => `${folder}\n`).join('')
}

async function writePage(files: Map<string, Buffer>, main: string, target: string): Promise<void> {
  for (const name of ['header', 'footer'] as const)
    if (options[name]) await writePart(`${name}.html`, files.get(`${name}.html`) ?? Buffer.alloc(0))
  if (options.markdown) await fillInMarkdown(files, main)
  await writePart('page.html', withoutQueries(files, main))
  const parts = [...files.keys()].flatMap((path) => {
    const type = partTypeOf(path)
    const isText = type?.startsWith('text/') ?? false
    const bytes = isText ? withoutQueries(files, path) : (files.get(path) as Buffer)
    return path === main || type === undefined ? [] : [{ path, type, bytes }]
  })
  await writeWebArchive('page.html', target, await readFile(options.style, 'utf8'), { path: main, parts })
}

/** Replaces `{{ toHTML "notes.md" }}` with the file notes.md as HTML. */
async function fillInMarkdown(files: Map<string, Buffer>, main: string): Promise<void> {
  const { marked } = await import('marked')
  const text = (files.get(main) as Buffer).toString('utf8')
  const missing: string[] = []
  const filled = text.replaceAll(
    /\{\{-?\s{0,20}toHTML\s{1,20}"([^"\n]{1,255})"\s{0,20}-?\}\}/g,
    (_, name: string) => {
      const file = files.get(posix.join(posix.dirname(main), name))
      if (!file) missing.push(`'${name}'`)
      return file ? marked.parse(file.toString('utf8'), { async: false, gfm: true }) : ''
    },
  )
  if (missing.length > 0) throw failed.unsupported(`Markdown files not found: ${missing.join(', ')}.`)
  files.set(main, Buffer.from(filled))
}

/** Turns `look.css?v=2` into `look.css`: such a query only invalidates the browser's cache. */
function withoutQueries(files: ReadonlyMap<string, Buffer>, path: string): Buffer {
  const text = (files.get(path) as Buffer).toString('latin1')
  const plain = text.replaceAll(
    /(?<![\w./%-])([\w./%-]{1,200}\.\w{2,5})\?[\w.=&;%-]{0,200}/g,
    (whole, reference: string) => (files.has(posix.join(posix.dirname(path), reference)) ? reference : whole),
  )
  return Buffer.from(plain, 'latin1')
}
