import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { lastLines, run } from './run.mjs'
import { say, warn } from './say.mjs'
import { hashOf, isDone, markDone, repository } from './stamp.mjs'

/** Builds `packages/converter/native`. Kiln works without it, slower; so a failure is told and does not stop the start. */
export async function buildNativeHelper() {
  if (!existsSync(join(repository, 'packages/converter/native/Makefile'))) return
  const hash = hashOf({ files: ['packages/converter/native'] })
  if (isDone('native', hash) && existsSync(join(repository, 'packages/converter/native/build'))) return
  say('building the native helper')
  const result = await run('make', ['-C', join(repository, 'packages/converter/native')], {
    logName: 'native.log',
  })
  if (result.ok) markDone('native', hash)
  else warn(`the native helper does not compile; Kiln goes on without it:\n${lastLines(result.output)}`)
}
