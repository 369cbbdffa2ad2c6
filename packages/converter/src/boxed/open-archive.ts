import { execFile } from 'node:child_process'
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { dirname, extname, join, posix } from 'node:path'
import { promisify } from 'node:util'
import { comesWithParts } from '../catalog/opened-first.ts'
import { toUtf8IfNeeded } from '../catalog/sniff/to-utf8.ts'
import { writeWebArchive } from '../engines/chromium/web-archive.ts'
import { findMain } from './archive/main-file.ts'
import { readArchive } from './archive/read-archive.ts'
import { partTypeOf } from './archive/web-parts.ts'
import { tellFailure } from './tell-failure.ts'

// A document that comes as a ZIP archive with its parts, opened in the box.
//
//   open-archive.mjs IN FORMAT folder   leaves them in OUT/source. OUT/main is a link to the folder of the document,
//                                      which is `kiln-source` in it, in UTF-8
//   … folder CSS                       puts the style sheet CSS beside pandoc's own files in that folder
//   open-archive.mjs IN html STYLE OUT  leaves the page with its parts as the web archive OUT, set in the style sheet STYLE
//
// OUT is the working folder.

const [input = '', format = '', style = '', last = ''] = process.argv.slice(2)
const mostFigures = 100
const decoder = new TextDecoder('latin1')

/** Parts that a reader of text takes in. */
const textParts = /^\.(?:tex|ltx|latex|sty|cls|bib|rst|rest|txt|inc|csv|md|markdown|html?|xhtml)$/i

await tellFailure(async () => {
  if (!comesWithParts(format)) throw new Error(`no archive of ${format}`)
  const files = await readArchive(input)
  const main = findMain([...files.keys()], format, (path) => decoder.decode(files.get(path)))
  if (style !== 'folder') return writePage(files, main)
  for (const [path, bytes] of files) await writePart(join('source', path), bytes)
  if (format === 'latex') await paintFigures([...files.keys()])
  await symlink(join('source', dirname(main)), 'main')
  const text = (files.get(main) as Buffer).toString('latin1')
  await writeFile('main/kiln-folders', pictureFolders(text), { flag: 'wx' })
  await rename(join('source', main), 'main/kiln-source')
  // Where pandoc looks for its own files: see run-pandoc.ts.
  await mkdir('main/data', { recursive: true })
  await symlink('/usr/share/pandoc/data', 'main/data/data')
  // Not copyFile, which sets permissions: that is not allowed in the box.
  if (last) await writeFile('main/data/house-style.css', await readFile(last))
})

async function writePart(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes, { flag: 'wx' })
  if (!textParts.test(extname(path))) return
  const copy = `${path}.utf-8`
  const isCopied = await toUtf8IfNeeded(path, /html?$/i.test(path), copy).catch(() => false)
  if (isCopied) await rename(copy, path)
}

/** LaTeX takes pages of PDF for pictures, and hardly anything else does. What cannot be painted is missing later. */
async function paintFigures(paths: readonly string[]): Promise<void> {
  const figures = paths.filter((path) => /\.pdf$/i.test(path)).slice(0, mostFigures)
  for (const path of figures) {
    const file = join('source', path)
    await promisify(execFile)('pdftocairo', ['-png', '-r', '200', '-singlefile', file, file]).catch(() => {})
  }
}

/** Where LaTeX looks for pictures, besides beside the document. */
function pictureFolders(text: string): string {
  const named = /\\graphicspath\s*\{((?:\s*\{[^{}]{0,200}\})+)/.exec(text)?.[1] ?? ''
  return [...named.matchAll(/\{([^{}]*)\}/g)].map(([, folder]) => `${folder}\n`).join('')
}

async function writePage(files: ReadonlyMap<string, Buffer>, main: string): Promise<void> {
  await writePart('page.html', withoutQueries(files, main))
  const parts = [...files.keys()].flatMap((path) => {
    const type = partTypeOf(path)
    const isText = type?.startsWith('text/') ?? false
    const bytes = isText ? withoutQueries(files, path) : (files.get(path) as Buffer)
    return path === main || type === undefined ? [] : [{ path, type, bytes }]
  })
  await writeWebArchive('page.html', last, await readFile(style, 'utf8'), { path: main, parts })
}

/** `look.css?v=2` is the file look.css: on a web server what follows it only keeps browsers from an older copy. */
function withoutQueries(files: ReadonlyMap<string, Buffer>, path: string): Buffer {
  const text = (files.get(path) as Buffer).toString('latin1')
  const plain = text.replaceAll(
    /(?<![\w./%-])([\w./%-]{1,200}\.\w{2,5})\?[\w.=&;%-]{0,200}/g,
    (whole, reference: string) => (files.has(posix.join(posix.dirname(path), reference)) ? reference : whole),
  )
  return Buffer.from(plain, 'latin1')
}
