import { execFile } from 'node:child_process'
import { copyFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { printAll } from '../../evidence/print.ts'
import { pandocTex, typeset } from '../../evidence/typeset.ts'
import { type Look, openDocumentTemplate, styleSheet, texVariables } from './variations.ts'

// The programs that print documents from outside: what made them as they are, and three of them anew.

const run = promisify(execFile)

export type Producer = 'itself' | 'chromium' | 'libreoffice' | 'latex'

const office = (file: string, folder: string): Promise<unknown> =>
  run(
    'soffice',
    [
      `-env:UserInstallation=file://${join(folder, 'profile')}`,
      '--headless',
      '--convert-to',
      'pdf:writer_pdf_Export',
      '--outdir',
      folder,
      file,
    ],
    { timeout: 300_000 },
  )

/** Whether a document of that ending has a program that prints it as it is. */
export const printsItself = (file: string): boolean => ['.docx', '.odt', '.html'].includes(extname(file))

/** `tree` is the file of pandoc's JSON. Writes `name.pdf` into the folder. */
export async function print(
  producer: Producer,
  {
    source,
    tree,
    look,
    name,
    folder,
  }: { source: string; tree: string; look: Look; name: string; folder: string },
): Promise<string> {
  const at = (ending: string): string => join(folder, `${name}${ending}`)
  const pandoc = (...args: string[]): Promise<unknown> =>
    run('pandoc', ['-f', 'json', tree, '--wrap=none', ...args])
  if (producer === 'itself') {
    const copy = at(extname(source))
    await copyFile(source, copy)
    if (copy.endsWith('.html')) await printAll('chromium', [copy], folder)
    else await office(copy, folder)
  } else if (producer === 'chromium') {
    await writeFile(at('.head'), styleSheet(look))
    await pandoc(
      '-t',
      'html5',
      '-s',
      '--mathml',
      '-H',
      at('.head'),
      '--metadata',
      `pagetitle=${name}`,
      '-o',
      at('.html'),
    )
    await printAll('chromium', [at('.html')], folder)
  } else if (producer === 'libreoffice') {
    await writeFile(at('.template'), openDocumentTemplate(look))
    await pandoc('-t', 'opendocument', '-s', '--template', at('.template'), '-o', at('.fodt'))
    await office(at('.fodt'), folder)
  } else {
    await pandocTex('json', tree, texVariables(look), at('.tex'))
    await typeset('lualatex', at('.tex'))
  }
  return at('.pdf')
}
