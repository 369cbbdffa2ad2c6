import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { extensionOf, formatNamed, formatOfName } from '../formats.ts'
import { type Parsed, UsageError } from './arguments.ts'
import { expandPattern } from './glob.ts'

// Determines inputs and outputs. Two names are an input and an output, unless `--to` makes both inputs; even then the
// last one is the output if it is `-`, or has the extension of the target (a file is never converted to its own format)
// or of an archive of several outputs. `-` is stdin as an input and stdout as an output.

export interface PlannedFile {
  /** A path, or `-` for stdin. */
  input: string
  /** A path, or `-` for stdout. */
  output: string
  /** The path, if `output` was not named and several files come in an archive. */
  archiveOutput: string | undefined
  from: string | undefined
  to: string
}

export async function planFiles(parsed: Parsed): Promise<PlannedFile[]> {
  const { positionals } = parsed
  const to = parsed.text('to')
  const from = parsed.text('from')
  const folder = parsed.text('out-dir')
  if (positionals.length === 0) throw new UsageError('Name a file to convert. See: kiln convert --help')

  const output = folder === undefined ? await findOutput(positionals, to, from) : undefined
  const inputs = output === undefined ? positionals : positionals.slice(0, 1)
  const target = to ?? (output === undefined ? undefined : (formatOfName(output) ?? undefined))
  if (target === undefined) {
    throw new UsageError(
      output === '-' || positionals.length === 1 || folder !== undefined
        ? 'Say what the input is to become: --to FORMAT.'
        : `"${positionals.at(-1)}" has no known extension. Name the format with --to FORMAT.`,
    )
  }
  const planned: PlannedFile[] = []
  for (const pattern of inputs) {
    const paths = await expandPattern(pattern)
    if (paths.length === 0) throw new UsageError(`No file fits "${pattern}".`)
    for (const input of paths) {
      if (from === undefined && (input === '-' || formatOfName(input) === null)) {
        throw new UsageError(`Say what ${input === '-' ? 'stdin' : input} holds: --from FORMAT.`)
      }
      planned.push({
        input,
        output: output ?? outputBeside(input, target, folder),
        archiveOutput: output === undefined ? archiveBeside(input, folder) : undefined,
        from,
        to: formatNamed(target),
      })
    }
  }
  if (output !== undefined && planned.length > 1) {
    throw new UsageError(`"${inputs[0]}" fits ${planned.length} files, which cannot all become ${output}.`)
  }
  refuseClashes(planned)
  return planned
}

async function findOutput(
  positionals: readonly string[],
  to: string | undefined,
  from: string | undefined,
): Promise<string | undefined> {
  const [, last] = positionals
  if (last === undefined || positionals.length > 2) {
    if (to !== undefined || positionals.length === 1) return undefined
    throw new UsageError('For more than one input say what they are to become: --to FORMAT.')
  }
  if (last === '-') return last
  if (to === undefined) {
    if (!(await isFolder(last))) return last
    throw new UsageError(`${last} is a folder. Use --to FORMAT --out-dir ${last}.`)
  }
  const format = formatOfName(last)
  return format === formatNamed(to) || (format === 'zip' && from === undefined) ? last : undefined
}

/** Not where it would replace the input. */
function archiveBeside(input: string, folder: string | undefined): string | undefined {
  const path = outputBeside(input, 'zip', folder)
  return path === '-' || resolve(path) === resolve(input) ? undefined : path
}

function outputBeside(input: string, to: string, folder: string | undefined): string {
  if (input === '-') return folder === undefined ? '-' : join(folder, `stdin.${extensionOf(formatNamed(to))}`)
  const name = `${basename(input).replace(/(?<=[^.])\.[^.]+$/, '')}.${extensionOf(formatNamed(to))}`
  return join(folder ?? join(input, '..'), name)
}

function refuseClashes(planned: readonly PlannedFile[]): void {
  const inputOf = new Map<string, string>()
  for (const { input, output } of planned) {
    const place = output === '-' ? '-' : resolve(output)
    const other = inputOf.get(place)
    if (other !== undefined) throw new UsageError(`Both ${other} and ${input} would become ${output}.`)
    inputOf.set(place, input)
    if (input !== '-' && resolve(input) === place) throw new UsageError(`${input} would replace itself.`)
  }
  if (planned.filter(({ input }) => input === '-').length > 1)
    throw new UsageError('stdin can be read only once.')
}

const isFolder = (path: string) =>
  stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  )
