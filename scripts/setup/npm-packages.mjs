import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lastLines, run } from './run.mjs'
import { say } from './say.mjs'
import { hashOf, isDone, markDone, repository } from './stamp.mjs'

// The npm packages, exactly as the lockfile names them. The runtime is one of them: the package `node` brings
// the version that Kiln runs on, whatever version runs this script.

const RUNTIME_MAJOR = 24
const runtime = join(repository, 'node_modules/.bin/node')

export async function installNpmPackages() {
  const hash = hashOf({ files: ['package-lock.json', 'package.json'] })
  if (isDone('npm', hash) && existsSync(runtime)) return

  if (!installedMatchesLockfile()) {
    const fresh = !existsSync(join(repository, 'node_modules'))
    say(fresh ? 'installing npm packages' : 'bringing npm packages up to date with the lockfile')
    // Not `npm ci`: it empties node_modules under the feet of a service that runs, and it refuses a lockfile
    // that leaves out packages of other platforms. With --no-save the lockfile is followed and not touched.
    const result = await npm(['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts=false'])
    if (!result.ok) throw new Error(`npm could not install the packages:\n${lastLines(result.output)}`)
  }
  await ensureRuntime()
  markDone('npm', hash)
}

function installedMatchesLockfile() {
  const wanted = readJson('package-lock.json')?.packages
  const installed = readJson('node_modules/.package-lock.json')?.packages
  if (!wanted) throw new Error('package-lock.json is missing. Fetch the repository again.')
  return installed !== undefined && holdsAll(installed, wanted, (path) => existsSync(join(repository, path)))
}

/** npm keeps a list of what it installed; it has to hold all that the lockfile asks of this platform. */
export function holdsAll(installed, wanted, exists) {
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true
    const found = installed[path]
    if (!found) return entry.optional === true && !exists(path)
    return found.version === entry.version && found.integrity === entry.integrity
  })
}

/** npm may have been told not to run install scripts, and the runtime is put in place by one. */
async function ensureRuntime() {
  if (await runtimeWorks()) return
  say(`fetching Node ${RUNTIME_MAJOR}`)
  const result = await npm(['rebuild', 'node', '--ignore-scripts=false', '--foreground-scripts'])
  if (await runtimeWorks()) return
  throw new Error(
    `The npm package \`node\` did not bring Node ${RUNTIME_MAJOR} (${runtime}). ` +
      `Run \`npm rebuild node\` and look at what it says.\n${lastLines(result.output)}`,
  )
}

async function runtimeWorks() {
  if (!existsSync(runtime)) return false
  const { ok, output } = await run(runtime, ['--version'])
  return ok && output.startsWith(`v${RUNTIME_MAJOR}.`)
}

/** npm names itself to the scripts that it runs; the same npm is used again. */
function npm(args) {
  const self = process.env.npm_execpath
  const options = { cwd: repository, logName: 'npm.log' }
  return self?.endsWith('.js') ? run(process.execPath, [self, ...args], options) : run('npm', args, options)
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(repository, path), 'utf8'))
  } catch {
    return undefined
  }
}
