import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EngineParts } from '../engine.ts'
import { ownFonts } from '../fonts.ts'
import { soffice, sofficeSandbox } from './soffice-sandbox.ts'

// Every conversion gets its own profile: two runs with one profile would lose each other's output, and a document must
// not find anything of the previous one. For a fast start, profiles are copies of one that LibreOffice has already
// initialized. It is created here from the folder `profile` beside this file, in the sandbox and without any document.
// It is cached for later processes, until LibreOffice or that folder changes. A process of another version may run at
// the same time, so recently used ones are kept.

const seed = fileURLToPath(new URL('./profile', import.meta.url))
const restartExitCode = 81
const prefix = 'office-profile-'
const keptProfiles = 3

/** Returns the host folder of the initialized profile; creates it on the first call. A failure is not cached. */
export type ProfileSource = () => Promise<string>

export function createProfileSource(parts: EngineParts): ProfileSource {
  let made: Promise<string> | undefined
  return () => {
    made ??= findOrMake(parts).catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

async function findOrMake(parts: EngineParts): Promise<string> {
  const kept = join(parts.cache, `${prefix}${fingerprint()}`)
  if (existsSync(kept)) {
    // A cache that only another user may write to is still usable.
    await utimes(kept, new Date(), new Date()).catch(() => {})
    return kept
  }
  const folder = await mkdtemp(join(parts.scratch, 'profile-'))
  try {
    await chmod(folder, 0o711)
    const made = await fillIn(parts, folder)
    const draft = `${kept}.${randomUUID()}`
    await mkdir(parts.cache, { recursive: true, mode: 0o711 })
    await cp(made, draft, { recursive: true, verbatimSymlinks: true })
    // Another process may have been faster; both created the same.
    await rename(draft, kept).catch(() => rm(draft, { recursive: true, force: true }))
    await removeOld(parts.cache)
    return kept
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Also removes drafts of processes that were killed. */
async function removeOld(cache: string): Promise<void> {
  const names = (await readdir(cache)).filter((name) => name.startsWith(prefix))
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(cache, name)
      // Another process may remove the same one.
      return { path, time: (await stat(path).catch(() => null))?.mtimeMs ?? 0 }
    }),
  )
  for (const { path } of found.toSorted((a, b) => b.time - a.time).slice(keptProfiles))
    await rm(path, { recursive: true, force: true })
}

function fingerprint(): string {
  const hash = createHash('sha256')
  const { size, mtimeMs } = statSync(soffice, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 }
  hash.update(`${size} ${mtimeMs}`)
  for (const name of readdirSync(seed, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(seed, name)
    hash.update(`\0${name}\0`).update(statSync(path).isFile() ? readFileSync(path) : '')
  }
  return hash.digest('hex').slice(0, 16)
}

async function fillIn({ sandbox }: EngineParts, folder: string): Promise<string> {
  const [inFolder, outFolder] = [join(folder, 'in'), join(folder, 'out')]
  for (const made of [inFolder, outFolder]) await mkdir(made)
  const spec = sofficeSandbox(ownFonts, { wallSeconds: 60 })
  const result = await sandbox.run({
    ...spec,
    inFolder,
    outFolder,
    args: ['-c', fillScript, 'fill'],
    readOnly: [...spec.readOnly, { from: seed, to: '/profile' }],
  })
  if (result.ending !== 'exited' || ![0, restartExitCode].includes(result.exitCode ?? -1)) {
    throw new Error(
      `LibreOffice could not make its profile (${result.ending}, exit code ${result.exitCode}). ` +
        `Is it installed? ${result.untrustedStderr.slice(0, 500)}`,
    )
  }
  return join(outFolder, 'profile')
}

// The first start with a new profile requests a restart (exit status 81). The second runs a macro that exits: a start
// that runs nothing does not store LibreOffice's extension data, and then every document would take most of a second
// longer. The profile is renamed in between: LibreOffice's socket is named after the profile's path, and a sandbox
// without its own /tmp cannot remove the socket of the first start.
const start = `${soffice} --headless --norestore --nologo`
const fillScript = `mkdir first && cp -r /profile first/user || exit 1
${start} --terminate_after_init "-env:UserInstallation=file://$PWD/first"
mv first profile || exit 1
exec ${start} --nodefault --nolockcheck "-env:UserInstallation=file://$PWD/profile" 'macro:///Standard.Convert.FillIn()'`
