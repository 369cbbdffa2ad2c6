import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { StyleRecord } from '../db/house-styles.ts'
import { refused } from '../errors.ts'
import { id, text } from './arguments.ts'
import type { AdminParts } from './commands.ts'
import { type Answering, one } from './output.ts'

/** The commands for house styles. */
export function addStyleCommands(account: Command, answer: Answering, parts: AdminParts): void {
  const { withStyles } = parts
  const read = (path: string) => (path === '-' ? parts.readInput() : readNamed(path))
  const style = account
    .command('style')
    .description('the style of the documents that are made for an account')
  const ofAccount = (name: string) => style.command(name).requiredOption('--account <id>', 'whose', id)
  answer(
    ofAccount('set')
      .description('give a style sheet, a reference document, or both; jobs that begin from now on have them')
      .option(
        '--css <file>',
        'a style sheet for HTML, EPUB and PDF, 64 KB at most; - is standard input',
        text(4096),
      )
      .option(
        '--reference <file>',
        'a Word document whose styles new ones take over, 1 MB at most; - is standard input',
        text(4096),
      ),
    (options) =>
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
        return one({ style: set }, describe(set))
      }),
  )
  answer(ofAccount('show'), (options) =>
    withStyles(async (styles) => {
      const found = await styles.find(options.account)
      const shown = found ? describe(found) : 'This account has no house style.'
      return one({ style: found }, found?.css ? `${shown}\n\n${found.css}` : shown)
    }),
  )
  answer(
    ofAccount('remove')
      .description('take away the style sheet, the reference document, or both')
      .option('--css', 'only the style sheet')
      .option('--reference', 'only the reference document'),
    ({ account: accountId, css, reference }) =>
      withStyles(async (styles) => {
        const parts = ['css', 'reference'] as const
        const named = parts.filter((part) => (part === 'css' ? css : reference))
        await styles.remove(accountId, named.length > 0 ? named : parts)
        return one({}, 'It is removed; jobs that begin from now on do not have it.')
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
