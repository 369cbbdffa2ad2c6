import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lastLines, run } from './run.mjs'
import { say, warn } from './say.mjs'
import { hashOf, isDone, markDone, repository } from './stamp.mjs'

const folder = join(repository, 'packages/converter/fonts')

/** Makes the fonts that stand in for Microsoft's. Kiln works without them, with the system's; so a failure is told. */
export async function buildFonts() {
  const hash = hashOf({ files: ['packages/converter/fonts'], texts: [systemFonts()] })
  const rules = join(folder, 'build/fonts.conf')
  if (isDone('fonts', hash) && existsSync(rules)) return
  say('making the stand-in fonts')
  const result = await run(join(repository, 'node_modules/.bin/node'), [join(folder, 'build.ts')], {
    logName: 'fonts.log',
  })
  if (!result.ok)
    return warn(`the fonts could not be made; Kiln goes on without them:\n${lastLines(result.output)}`)
  if (result.output.trim()) warn(result.output.trim())
  // Programs in the box may not write a cache; without one each of them reads every font.
  await run('fc-cache', ['-f', join(folder, 'build/fonts')], {
    env: { FONTCONFIG_FILE: rules },
    logName: 'fonts.log',
  })
  markDone('fonts', hash)
}

/** Changes when a package of fonts comes, goes or is updated. */
function systemFonts() {
  const folders = ['truetype', 'opentype'].map((name) => join('/usr/share/fonts', name))
  return folders.map((path) => (existsSync(path) ? String(statSync(path).mtimeMs) : '')).join(' ')
}
