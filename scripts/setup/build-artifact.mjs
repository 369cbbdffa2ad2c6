import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { currentVersion, switchTo, unlinkCurrent } from './artifact-link.mjs'
import { processesWithOpen } from './directory-users.mjs'
import { run } from './run.mjs'
import { say, warn } from './say.mjs'
import { hashOf, repository, setupFolder } from './stamp.mjs'

// A build artifact is a directory that is never changed once it is complete. Each version has its own directory,
// `builds/HASH-PID`, and `build` is a symbolic link to the current one, which is switched atomically. A process
// resolves the link once and keeps the directory open (packages/converter/src/artifact.ts), so that a service keeps
// the version that it started with. The newest three versions are kept, and older ones while a process has them open.

/**
 * Builds an artifact unless its current version has the same sources. `directory` holds `build`; `result` is a file
 * that a complete version contains; `command` gets the directory to build into; `inputs` are texts that the artifact
 * depends on besides its sources; `finish` runs before the switch, with what the command printed. Kiln works without
 * an `optional` artifact. A person gets a sentence, and the command's output goes to a log.
 */
export async function buildArtifact(artifact) {
  const { name, description, directory, sources, inputs, result, optional = false } = artifact
  const hash = hashOf({ files: [...sources, 'package-lock.json'], texts: inputs }).slice(0, 16)
  const folder = join(repository, directory)
  const current = currentVersion(folder)
  if (current?.startsWith(`${hash}-`) && existsSync(join(folder, 'build', result))) return
  say(`building ${description}`)
  const version = `${hash}-${process.pid}`
  const target = join(folder, 'builds', version)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  // Held open, as by a service: another set-up does not remove it.
  const held = openSync(target, 'r')
  try {
    if (await runBuild(artifact, target)) switchTo(folder, version)
    else {
      const failure = `${description} could not be built (see ${join(setupFolder, `${name}.log`)})`
      if (!optional)
        throw new Error(
          `${failure}. Remove node_modules and start again; if you changed the sources, fix what the log names.`,
        )
      warn(`${failure}; Kiln works without`)
      unlinkCurrent(folder)
    }
  } finally {
    closeSync(held)
  }
  removeUnused(folder)
}

async function runBuild({ name, command, env, finish }, target) {
  const [program, ...args] = command(target)
  const { ok, output } = await run(program, args, { cwd: repository, logName: `${name}.log`, env })
  if (ok) await finish?.(target, output)
  return ok
}

const keptVersions = 3

/** Removes old versions that no process has open. */
function removeUnused(folder) {
  const builds = join(folder, 'builds')
  const newestFirst = readdirSync(builds)
    .map((name) => join(builds, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  for (const path of newestFirst.slice(keptVersions))
    if (basename(path) !== currentVersion(folder) && processesWithOpen(path).length === 0)
      rmSync(path, { recursive: true, force: true })
}

/** The project's own Node, and a program of the repository. */
export const withRuntime = (...args) => [join(repository, 'node_modules/.bin/node'), ...args]
