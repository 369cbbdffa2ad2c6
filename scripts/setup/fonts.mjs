import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildOnce, withRuntime } from './build-once.mjs'
import { run } from './run.mjs'
import { warn } from './say.mjs'
import { repository, setupFolder } from './stamp.mjs'

const folder = 'packages/converter/fonts'
const rules = `${folder}/build/fonts.conf`

/** The fonts that stand in for Microsoft's. Kiln works without them, with the system's. */
export async function buildFonts() {
  const told = await buildOnce({
    step: 'fonts',
    what: 'the stand-in fonts',
    sources: [folder],
    texts: [systemFonts()],
    result: rules,
    command: withRuntime(`${folder}/build.ts`),
    optional: true,
  })
  if (told === undefined) return
  const missing = told.split('\n').filter((line) => line.trim() !== '').length
  if (missing > 0) {
    warn(
      `${missing} stand-in fonts could not be made: packages are missing (${join(setupFolder, 'fonts.log')} says which)`,
    )
  }
  // Programs in the box may not write a cache; without one each of them reads every font.
  await run('fc-cache', ['-f', join(repository, folder, 'build/fonts')], {
    env: { FONTCONFIG_FILE: join(repository, rules) },
    logName: 'fonts.log',
  })
}

/** Changes when a package of fonts comes, goes or is updated. */
function systemFonts() {
  const folders = ['truetype', 'opentype'].map((name) => join('/usr/share/fonts', name))
  return folders.map((path) => (existsSync(path) ? String(statSync(path).mtimeMs) : '')).join(' ')
}
