import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { lastLines, run } from './run.mjs'
import { say, warn } from './say.mjs'
import { hashOf, isDone, markDone, repository } from './stamp.mjs'

// The operator console and the style of the public page, built once per version of their sources. The service
// itself has no build step, and works without this one: the public page is plain then, and the console says why.

const folder = join(repository, 'packages/console')
const sources = ['src', 'index.html', 'vite.config.ts', 'package.json'].map(
  (name) => `packages/console/${name}`,
)

export async function buildConsole() {
  const hash = hashOf({ files: [...sources, 'package-lock.json'] })
  if (isDone('console', hash) && existsSync(join(folder, 'build/manifest.json'))) return
  say('building the console')
  const programs = join(repository, 'node_modules')
  const result = await run(
    join(programs, '.bin/node'),
    [join(programs, 'vite/bin/vite.js'), 'build', '--logLevel', 'warn', folder],
    { cwd: repository, logName: 'console.log', env: { NODE_ENV: 'production' } },
  )
  if (result.ok) markDone('console', hash)
  else warn(`the console cannot be built; Kiln goes on without it:\n${lastLines(result.output)}`)
}
