import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { StyleRecord } from '../db/house-styles.ts'
import { refused } from '../errors.ts'
import type { HouseStyles } from '../house-styles/house-styles.ts'
import { id, text } from './argument-kinds.ts'
import type { Printer } from './output.ts'

export interface StyleCommandsParts {
  withStyles: (work: (styles: HouseStyles) => Promise<void>) => Promise<void>
  /** All of standard input. */
  readInput: () => Promise<Buffer>
  printer: (json: boolean) => Printer
}

/** The commands for house styles. */
export function addStyleCommands(account: Command, parts: StyleCommandsParts): void {
  const { withStyles, printer } = parts
  const read = (path: string) => (path === '-' ? parts.readInput() : readNamed(path))
  const json = ['--json', 'print JSON'] as const
  const whose = ['--account <id>', 'whose', id] as const
  const style = account
    .command('style')
    .description('the style of the documents that are made for an account')
  style
    .command('set')
    .description('give a style sheet, a reference document, or both; jobs that begin from now on have them')
    .requiredOption(...whose)
    .option(
      '--css <file>',
      'a style sheet for HTML, EPUB and PDF, 64 KB at most; - is standard input',
      text(4096),
    )
    .option(
      '--reference <file>',
      'a Word document whose styles new ones take over, 1 MB at most; - is standard input',
      text(4096),
    )
    .option(...json)
    .action((options) =>
      withStyles(async (styles) => {
        if (options.css === '-' && options.reference === '-')
          throw refused(
            'bad-request',
            'Standard input holds one file: set the other with a command of its own.',
          )
        const files = {
          ...(options.css ? { css: await read(options.css) } : {}),
          ...(options.reference ? { reference: await read(options.reference) } : {}),
        }
        if (Object.keys(files).length === 0)
          throw refused('bad-request', 'Name a file with --css, with --reference, or both.')
        const set = await styles.set(options.account, files)
        printer(options.json).one({ style: set }, describe(set))
      }),
    )
  style
    .command('show')
    .requiredOption(...whose)
    .option(...json)
    .action((options) =>
      withStyles(async (styles) => {
        const found = await styles.find(options.account)
        const shown = found ? describe(found) : 'This account has no house style.'
        printer(options.json).one({ style: found }, found?.css ? `${shown}\n\n${found.css}` : shown)
      }),
    )
  style
    .command('remove')
    .description('take away the style sheet, the reference document, or both')
    .requiredOption(...whose)
    .option('--css', 'only the style sheet')
    .option('--reference', 'only the reference document')
    .option(...json)
    .action((options) =>
      withStyles(async (styles) => {
        const both = !options.css && !options.reference
        await styles.remove(options.account, [
          ...(both || options.css ? (['css'] as const) : []),
          ...(both || options.reference ? (['reference'] as const) : []),
        ])
        printer(options.json).one({}, 'It is removed; jobs that begin from now on do not have it.')
      }),
    )
}

const readNamed = (path: string): Promise<Buffer> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    const advice =
      error.code === 'EACCES'
        ? "This command runs as the service's user, who must be let in. Or give the file by standard input: `- < FILE`."
        : 'Give its full path.'
    throw refused('bad-request', `${path} cannot be read (${error.code}). ${advice}`)
  })

const describe = ({ css, referenceBytes, changedAt }: StyleRecord): string =>
  [
    css === null ? 'No style sheet' : `Style sheet of ${Buffer.byteLength(css)} bytes`,
    referenceBytes === null ? 'no reference document' : `reference document of ${referenceBytes} bytes`,
    `changed ${changedAt.toISOString()}`,
  ].join(', ')
