// The only set-up step, which `npm start` and `npm test` run first. It needs only Node 20 and npm. It prints what it
// does, repeats nothing, and is quick when everything is set up. With `--tests` it also installs the dependencies of
// the tests; with `--npm-only` only npm's packages, which is all that `npm run check` needs.

import { buildArtifacts } from './setup/artifacts.mjs'
import { installNpmPackages } from './setup/npm-packages.mjs'
import { linkPostgresLibraries } from './setup/postgres-libraries.mjs'
import { openProgramForReading } from './setup/readable-program.mjs'
import { say, secondsSinceStart } from './setup/say.mjs'
import { keepHashes, repository } from './setup/stamp.mjs'
import { installSystemPackages } from './setup/system-packages.mjs'
import { createSystemUsers } from './setup/system-users.mjs'

// A signal ends the running command (it gets the signal too); then the clean-up of that step still runs.
process.on('SIGINT', () => say('interrupted; finishing the running command'))

// Everything that is created here must be readable by all users, even with a strict umask.
process.umask(0o022)

try {
  // One downloads while the other unpacks. Both end before a failure of either is reported.
  const npmOnly = process.argv.includes('--npm-only')
  const installed = await Promise.allSettled([installNpmPackages(), npmOnly || installSystemPackages()])
  for (const each of installed) if (each.status === 'rejected') throw each.reason
  linkPostgresLibraries(repository)
  if (!npmOnly) {
    await createSystemUsers()
    await buildArtifacts()
    await openProgramForReading()
  }
  keepHashes()
  if (Number(secondsSinceStart()) >= 1) say(`done in ${secondsSinceStart()} s`)
} catch (error) {
  console.error(`set-up failed: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
