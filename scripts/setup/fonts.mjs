import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildArtifact, withRuntime } from './build-artifact.mjs'
import { run } from './run.mjs'
import { warn } from './say.mjs'
import { setupFolder } from './stamp.mjs'

const directory = 'packages/converter/fonts'

/** Metric-compatible fonts in place of Microsoft's. Kiln works without them, with the system's. */
export const buildFonts = () =>
  buildArtifact({
    name: 'fonts',
    description: 'the metric-compatible fonts',
    directory,
    sources: [directory],
    inputs: [systemFonts()],
    result: 'fonts.conf',
    command: (target) => withRuntime(`${directory}/build.ts`, target),
    finish: writeCache,
    optional: true,
  })

async function writeCache(target, output) {
  const missing = output.split('\n').filter((line) => line.trim() !== '').length
  if (missing > 0)
    warn(
      `${missing} fonts could not be built: packages are missing (${join(setupFolder, 'fonts.log')} names them)`,
    )
  // Programs in the sandbox cannot write a cache; without one each of them reads every font.
  await run('fc-cache', ['-f', join(target, 'fonts')], {
    env: { FONTCONFIG_FILE: join(target, 'fonts.conf') },
    logName: 'fonts.log',
  })
}

/** Changes when a font package is installed, removed or updated. */
function systemFonts() {
  const folders = ['truetype', 'opentype'].map((name) => join('/usr/share/fonts', name))
  return folders.map((path) => (existsSync(path) ? String(statSync(path).mtimeMs) : '')).join(' ')
}
