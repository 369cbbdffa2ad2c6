import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { EngineParts } from './engine.ts'
import { type Fonts, fontEnvironment, ownFonts } from './fonts.ts'

// The operator's own fonts, in a directory that is polled every few seconds. When it has changed, new fontconfig rules
// are written for programs that start from then on; pre-warmed processes with the old rules are replaced.
//
// A font in the directory needs no substitute: the substitution rule for its name is omitted.

export interface OperatorFonts {
  /** The same object until something changes. */
  current(): Fonts
  /** Names of the families in the folder, or why it cannot be read. */
  state(): FontsState
  close(): void
}

export interface FontsState {
  folder: string
  families: readonly string[]
  fault: string | null
}

const pollMilliseconds = 3_000
const maxFiles = 5_000
const keptRules = 4
const maxNameLength = 100
const isFont = /\.(ttf|otf|ttc|otc|pfb)$/i

export async function openOperatorFonts(
  folder: string,
  parts: Omit<EngineParts, 'warm' | 'fonts'>,
): Promise<OperatorFonts> {
  const { log } = parts
  // Kept for programs that run, and for the next process.
  const cache = join(parts.cache, 'fonts')
  let fonts = ownFonts
  let state: FontsState = { folder, families: [], fault: null }
  let seen = ''
  let polling = false

  const poll = async () => {
    if (polling) return
    polling = true
    try {
      const mark = await fingerprint(folder)
      if (mark === seen && state.fault === null) return
      const target = join(cache, mark)
      const families = await readFonts(folder, target, parts)
      fonts = fontsWith(folder, target)
      seen = mark
      state = { folder, families, fault: null }
      log.info(`Fonts of ${folder}: ${families.join(', ') || 'none'}.`)
      await removeOld(cache)
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error)
      if (fault !== state.fault) log.warn(`The fonts of ${folder} cannot be used: ${fault}`)
      state = { ...state, fault }
    } finally {
      polling = false
    }
  }
  await poll()
  const timer = setInterval(() => void poll(), pollMilliseconds)
  timer.unref()
  return { current: () => fonts, state: () => state, close: () => clearInterval(timer) }
}

/** Changes with every font that comes, goes or is replaced. */
async function fingerprint(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => !entry.isDirectory() && isFont.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
  if (paths.length > maxFiles) throw new Error(`It holds more than ${maxFiles} fonts.`)
  const hash = createHash('sha256').update(folder)
  for (const path of paths) {
    const { size, mtimeMs } = await stat(path)
    hash.update(`\n${path}\0${size}\0${mtimeMs}`)
  }
  // The rules also depend on those of the substitute fonts.
  if (ownFonts.rules) hash.update(String((await stat(ownFonts.rules)).mtimeMs))
  return hash.digest('hex').slice(0, 16)
}

const mebibyte = 1024 * 1024
const limits = {
  wallSeconds: 120,
  cpuSeconds: 60,
  memoryBytes: 1024 * mebibyte,
  processes: 16,
  fileBytes: 64 * mebibyte,
  diskBytes: 128 * mebibyte,
  logBytes: mebibyte,
}

/**
 * Fontconfig reads the fonts in the sandbox: it lists their families and writes its cache, without which every program
 * would read them again. Its exit status is ignored: it fails if there are none or one is damaged, and its list of the
 * others is still correct.
 */
async function readFonts(
  folder: string,
  target: string,
  { sandbox, scratch }: Pick<EngineParts, 'sandbox' | 'scratch'>,
): Promise<string[]> {
  const work = await mkdtemp(join(scratch, 'fonts-'))
  try {
    const [inFolder, outFolder] = [join(work, 'in'), join(work, 'out')]
    for (const made of [inFolder, outFolder]) await mkdir(made)
    await writeFile(join(inFolder, 'fonts.conf'), document(folder, '/out', ''))
    const result = await sandbox.run({
      program: '/bin/sh',
      args: ['-c', 'fc-scan --format "%{family}\\n" "$1"; exec fc-cache "$1"', 'fonts', folder],
      inFolder,
      outFolder,
      limits,
      readOnly: [{ from: folder, to: folder }],
      environment: fontEnvironment('/in/fonts.conf'),
    })
    if (result.ending !== 'exited') throw new Error(`They could not be read (${result.ending}).`)
    const families = familiesIn(result.untrustedStdout)
    await writeRules(folder, target, families, outFolder)
    return families
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** The names are shown to the operator: on one line, without control characters that a terminal would interpret. */
function familiesIn(untrusted: string): string[] {
  const names = untrusted.split(/[\n,]/).map((name) =>
    name
      .replaceAll(/\p{C}+/gu, ' ')
      .trim()
      .slice(0, maxNameLength),
  )
  return [...new Set(names)].filter((name) => name !== '').toSorted()
}

/** The rules of the substitute fonts, preceded by the folder. */
async function writeRules(
  folder: string,
  target: string,
  families: readonly string[],
  fontconfigCache: string,
): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  const draft = await mkdtemp(`${target}.`)
  for (const [name, own] of [
    ['fonts.conf', ownFonts.rules],
    ['word.conf', ownFonts.rulesOfWord],
  ] as const) {
    const rules = own === undefined ? '' : rulesOf(await readFile(own, 'utf8'), dirname(own), families)
    await writeFile(join(draft, name), document(folder, join(target, 'cache'), rules || system))
  }
  await cp(fontconfigCache, join(draft, 'cache'), { recursive: true })
  // Another process may have made the same.
  await rename(draft, target).catch(() => rm(draft, { recursive: true }))
}

const fontsWith = (folder: string, target: string): Fonts => ({
  places: [...ownFonts.places, { from: folder, to: folder }, { from: target, to: target }],
  rules: join(target, 'fonts.conf'),
  rulesOfWord: join(target, 'word.conf'),
  furtherRulesOfWord: ownFonts.furtherRulesOfWord,
})

const system = '  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>\n'
const rule =
  / {2}<match target="pattern">\n {4}<test name="family" compare="eq"><string>([^<]*)<\/string>[\s\S]*?<\/match>\n/g
const rejection = / {2}<selectfont><rejectfont>.*<string>([^<]*)<\/string>.*\n/g

/** The output of fonts/fontconfig.ts, without the rules that fonts of these families replace. */
function rulesOf(own: string, place: string, families: readonly string[]): string {
  const present = new Set(families.map((name) => name.toLowerCase()))
  const unlessPresent = (text: string, name: string) => {
    if (present.has(name.toLowerCase())) return ''
    // A sheet asks for the variant for cells.
    const font = name.replace(/ cells$/, '')
    return font !== name && present.has(font.toLowerCase())
      ? text.replace(/(<edit [^<]*<string>)[^<]*/, (_, start: string) => start + font)
      : text
  }
  return own
    .replace(/^[\s\S]*?<fontconfig>\n/, '')
    .replace(/<\/fontconfig>\n$/, '')
    .replace('<dir prefix="relative">fonts</dir>', `<dir>${escapeXml(join(place, 'fonts'))}</dir>`)
    .replaceAll(rule, unlessPresent)
    .replaceAll(rejection, unlessPresent)
}

const document = (folder: string, cache: string, rules: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>${escapeXml(folder)}</dir>
  <cachedir>${escapeXml(cache)}</cachedir>
${rules}</fontconfig>
`

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Keeps the most recent ones, which a program may still use. */
async function removeOld(cache: string): Promise<void> {
  const folders = await Promise.all(
    (await readdir(cache)).map(async (name) => {
      const path = join(cache, name)
      return { path, time: (await stat(path)).mtimeMs }
    }),
  )
  for (const { path } of folders.toSorted((a, b) => b.time - a.time).slice(keptRules))
    await rm(path, { recursive: true, force: true })
}
