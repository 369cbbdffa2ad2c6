// The one set-up step, which `npm start` and `npm test` both run first. It needs Node 20 and npm, nothing else.
// It says what it does, does nothing twice, and on a warm machine ends at once.

import { buildConsole } from './setup/console.mjs'
import { buildNativeHelper } from './setup/native-helper.mjs'
import { installNpmPackages } from './setup/npm-packages.mjs'
import { say, secondsSinceStart } from './setup/say.mjs'
import { installSystemPackages } from './setup/system-packages.mjs'
import { createSystemUsers } from './setup/system-users.mjs'

// A signal ends the running command (it gets the signal too); then the clean-up of that step still runs.
process.on('SIGINT', () => say('interrupted; finishing the running command'))

try {
  // One downloads while the other unpacks. Both end before a failure of either is told.
  const installed = await Promise.allSettled([installNpmPackages(), installSystemPackages()])
  for (const each of installed) if (each.status === 'rejected') throw each.reason
  await createSystemUsers()
  await Promise.all([buildNativeHelper(), buildConsole()])
  if (Number(secondsSinceStart()) >= 1) say(`done in ${secondsSinceStart()} s`)
} catch (error) {
  console.error(`set-up failed: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
