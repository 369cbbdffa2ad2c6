import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EngineParts } from '../engine.ts'
import { ownFonts } from '../fonts.ts'
import { soffice, sofficeBox } from './soffice-box.ts'

// Every conversion gets a profile of its own: two runs on one profile lose each other's output, and
// what one document leaves behind the next must not find. To start quickly they are copies of one that
// LibreOffice has already filled in. That one is made here, from the folder `profile` beside this file, in the
// box and without any document. It is kept for later processes, until LibreOffice or that folder changes.
// A process of another version may run beside this one, so those that were used last stay.

const seed = fileURLToPath(new URL('./profile', import.meta.url))
const restartExitCode = 81
const prefix = 'office-profile-'
const keptProfiles = 3

/** Gives the host folder of the filled-in profile; makes it at the first call. A failed try is not remembered. */
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
    // A cache that only another user may write to serves all the same.
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
    // Another maker may have been faster; both made the same.
    await rename(draft, kept).catch(() => rm(draft, { recursive: true, force: true }))
    await removeOld(parts.cache)
    return kept
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Also what a maker that was killed has left. */
async function removeOld(cache: string): Promise<void> {
  const names = (await readdir(cache)).filter((name) => name.startsWith(prefix))
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(cache, name)
      // Another maker may remove the same.
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
  const box = sofficeBox(ownFonts, { wallSeconds: 60 })
  const result = await sandbox.run({
    ...box,
    inFolder,
    outFolder,
    args: ['-c', fillScript, 'fill'],
    readOnly: [...box.readOnly, { from: seed, to: '/profile' }],
  })
  if (result.ending !== 'exited' || ![0, restartExitCode].includes(result.exitCode ?? -1)) {
    throw new Error(
      `LibreOffice could not make its profile (${result.ending}, exit code ${result.exitCode}). ` +
        `Is it installed? ${result.untrustedStderr.slice(0, 500)}`,
    )
  }
  return join(outFolder, 'profile')
}

// The first start on a new profile asks for a restart (exit code 81). The second runs a program of ours that ends it: a
// start that runs nothing leaves out what LibreOffice notes about its extensions, which then takes every document most of
// a second. It finds the profile under another name: LibreOffice's socket is named after the profile's place, and a box
// without a /tmp of its own cannot remove the one that the first start left.
const start = `${soffice} --headless --norestore --nologo`
const fillScript = `mkdir first && cp -r /profile first/user || exit 1
${start} --terminate_after_init "-env:UserInstallation=file://$PWD/first"
mv first profile || exit 1
exec ${start} --nodefault --nolockcheck "-env:UserInstallation=file://$PWD/profile" 'macro:///Standard.Convert.FillIn()'`
