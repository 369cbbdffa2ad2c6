import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.mjs'
import { say, warn } from './say.mjs'
import { forget, hashOf, isDone, markDone, repository, setupFolder } from './stamp.mjs'

/** Builds `packages/converter/native`. Kiln works without it, slower; so a failure is told and does not stop the start. */
export async function buildNativeHelper() {
  if (!existsSync(join(repository, 'packages/converter/native/Makefile'))) return
  const hash = hashOf({ files: ['packages/converter/native'] })
  if (isDone('native', hash) && existsSync(join(repository, 'packages/converter/native/build'))) return
  say('building the native helper')
  forget('native')
  // All of it: an object that the compiler was stopped in the middle of looks finished to make.
  const result = await run('make', ['--always-make', '-C', join(repository, 'packages/converter/native')], {
    logName: 'native.log',
  })
  if (result.ok) markDone('native', hash)
  else
    warn(
      `the native helper does not compile (${join(setupFolder, 'native.log')} says why); Kiln goes on without it`,
    )
}
