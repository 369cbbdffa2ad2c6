import { isIwork, unknownVersion } from '../catalog/file-types/iwork.ts'
import { type Format, formats, readAs } from '../catalog/formats.ts'
import type { Pair } from '../catalog/pairs.ts'
import { ConversionFailed, failed } from '../failure.ts'
import type { Findings } from '../report/findings.ts'
import type { InThread } from '../threads/in-thread.ts'
import type { Check, CheckContext } from './check.ts'
import type { checkFiles } from './files.ts'
import type { checkPackage } from './package.ts'
import { checkDeclaration, checkPdf } from './pdf.ts'
import type { isDamagedPackage } from './source/damage.ts'
import type { countKept, Shown, sourceShows } from './source/shows.ts'
import { minWords } from './source/words.ts'
import type { checkText } from './text.ts'
import type { checkVideoContainer } from './video.ts'

export { openOutput } from './open-output.ts'
export { openReader } from './pdf-reader.ts'

// The last check before `done`: is the output what the pair promises? Decided by its content, because engines may exit
// with 0 although they produced nothing or garbage. The output of an engine is untrusted: it is read in a thread or in
// the sandbox.

const moduleOf = (name: string) => import.meta.resolve(`./${name}.ts`)

const showsModule = moduleOf('source/shows')

/** Read while the engine runs. A source that cannot be read is not compared. */
export async function readSource(path: string, pair: Pair, inThread: InThread): Promise<Shown> {
  const nothing = { words: [] }
  if (formats[pair.to].check === 'video') return nothing
  return inThread<typeof sourceShows>(showsModule, 'sourceShows', path, readAs(pair.from)).catch(
    () => nothing,
  )
}

/** At least one word of a sample of the source must be in the output; if most are missing, there is a warning. */
const keepingWords =
  (check: Check): Check =>
  async (path, pair, context) => {
    const seen = await check(path, pair, context)
    const { words } = await context.source
    if (context.isPart || words.length < minWords) return seen
    // The output has passed its own check. One that takes too long to compare counts as complete.
    const kept = await context
      .inThread<typeof countKept>(showsModule, 'countKept', words, path, pair.to)
      .catch(() => words.length)
    // Pandoc drops commands and drawings that it does not know; the other formats have none.
    if (kept === undefined && pair.from === 'latex')
      throw failed.unsupported('The document holds no text that can be converted.')
    if (!kept) throw new Error(`none of ${words.length} words of the source is in the output`)
    if (kept >= words.length * fewWords) return seen
    return { ...seen, remarks: [...(seen.remarks ?? []), mostlyLost] }
  }

const fewWords = 1 / 3
const mostlyLost =
  'Most words of the source are not in the output: text in boxes and drawings may be lost. Compare it with the original.'

async function isDamaged({ source, sourcePath, inThread }: CheckContext): Promise<boolean> {
  if ((await source).isDamaged) return true
  return inThread<typeof isDamagedPackage>(moduleOf('source/damage'), 'isDamagedPackage', sourcePath).catch(
    // A file that cannot be read within its budget may be valid.
    () => false,
  )
}

const damaged = (cause: unknown) =>
  failed.corruptInput(
    'The document is damaged: its content is inconsistent. Open it in the program it comes from and save it again.',
    cause,
  )

const checks: Readonly<Record<NonNullable<Format['check']>, Check>> = {
  text: keepingWords((path, { to }, { inThread }) =>
    inThread<typeof checkText>(moduleOf('text'), 'checkText', path, to),
  ),
  package: keepingWords((path, pair, { inThread }) =>
    inThread<typeof checkPackage>(moduleOf('package'), 'checkPackage', path, pair),
  ),
  pdf: checkPdf,
  files: (path, _, { inThread }) => inThread<typeof checkFiles>(moduleOf('files'), 'checkFiles', path),
  video: (path, pair, { inThread }) =>
    inThread<typeof checkVideoContainer>(moduleOf('video'), 'checkVideoContainer', path, pair),
}

/** Returns the findings. Throws ConversionFailed when the file is not a valid file of the pair's target format. */
export async function checkOutput(path: string, pair: Pair, context: CheckContext): Promise<Findings> {
  const { check, label } = formats[pair.to]
  if (!check) throw new Error(`No output check for ${pair.to}; add one in catalog/formats.ts`)
  const seen = await checks[check](path, pair, context).catch(async (error: unknown) => {
    context.signal.throwIfAborted()
    if (error instanceof ConversionFailed && /^(?:too-complex|unsupported)$/.test(error.word)) throw error
    if (isIwork(pair.from)) throw unknownVersion(error)
    if (await isDamaged(context)) throw damaged(error)
    throw failed.internal(
      `The converter's output is not a good ${label} file. Try again; if it fails again, report the file.`,
      error,
    )
  })
  await checkDeclaration(path, context)
  return seen
}
