import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.mjs'
import { say } from './say.mjs'
import { forget, hashOf, isDone, markDone, repository, setupFolder } from './stamp.mjs'

// The operator console, built once per version of its sources: the only thing that is built beside the C helpers.

const folder = join(repository, 'packages/console')
const sources = ['src', 'pages', 'index.html', 'vite.config.ts', 'package.json'].map(
  (name) => `packages/console/${name}`,
)

export async function buildConsole() {
  const hash = hashOf({ files: [...sources, 'package-lock.json'] })
  if (isDone('console', hash) && existsSync(join(folder, 'build/index.html'))) return
  say('building the console')
  // What is half built when the machine goes down must not pass for whole.
  forget('console')
  const programs = join(repository, 'node_modules')
  const result = await run(
    join(programs, '.bin/node'),
    [join(programs, 'vite/bin/vite.js'), 'build', '--logLevel', 'warn', folder],
    { cwd: repository, logName: 'console.log', env: { NODE_ENV: 'production' } },
  )
  if (!result.ok) {
    throw new Error(
      `The console could not be built (${join(setupFolder, 'console.log')} says why). Remove node_modules and start again; if you changed packages/console, mend what the log names.`,
    )
  }
  markDone('console', hash)
}
