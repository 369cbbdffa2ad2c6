import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { processesWithOpen } from './directory-users.mjs'
import { belongsOn, thisPlatform } from './platform.mjs'
import { lastLines, run } from './run.mjs'
import { say } from './say.mjs'
import { forget, hashOf, isDone, markDone, repository } from './stamp.mjs'

// The npm packages, exactly as in the lockfile. The runtime is one of them: the package of this platform contains Node
// itself, so Kiln runs on the version that was tested, whatever version runs this script. No package needs its install
// script, and none is run.

const RUNTIME_MAJOR = 24
const runtime = join(repository, 'node_modules/.bin/node')
const DEBIAN_MODULES = '/usr/share/nodejs'

export async function installNpmPackages() {
  const hash = hashOf({ files: ['package-lock.json', 'package.json', '.npmrc'] })
  if (isDone('npm', hash) && existsSync(runtime)) return

  const interrupted = isDone('npm-unfinished', 'yes')
  const linkIt = () => linkRuntime(repository, readJson('package-lock.json').packages, thisPlatform())
  if (interrupted || !installedMatchesLockfile()) {
    refuseWhileInUse(join(repository, 'node_modules'))
    await install(interrupted)
  }
  linkIt()
  await checkRuntime()
  // npm skips programs that do not support the Node that runs it. They have to support the installed one.
  if (!installedMatchesLockfile()) {
    say(
      `npm left out what does not fit Node ${process.versions.node}; installing it for Node ${RUNTIME_MAJOR}`,
    )
    await install(false, runtime)
    linkIt()
  }
  markDone('npm', hash)
}

/**
 * The runtime's packages all bring a program `node`. npm 9, which Debian 12 and 13 have, installs that of this
 * platform, and then takes the link to it away together with the packages of the others.
 */
export function linkRuntime(folder, packages, platform) {
  const links = join(folder, 'node_modules/.bin')
  if (existsSync(join(links, 'node'))) return
  const found = Object.entries(packages).find(
    ([path, entry]) =>
      /^node_modules\/node-[^/]+$/.test(path) && entry.bin?.node && belongsOn(platform, entry),
  )
  if (!found || !existsSync(join(folder, found[0]))) return
  mkdirSync(links, { recursive: true })
  // A link to a package that was removed.
  rmSync(join(links, 'node'), { force: true })
  symlinkSync(join('..', found[0].slice('node_modules/'.length), found[1].bin.node), join(links, 'node'))
}

/** A service loads packages while it runs, such as in a thread that it starts later; it must not find other versions. */
export function refuseWhileInUse(directory) {
  const [pid] = processesWithOpen(directory)
  if (pid !== undefined)
    throw new Error(
      `The npm packages have changed, and a running Kiln (process ${pid}) uses them. Stop it, then start again.`,
    )
}

async function install(interrupted, node = process.execPath) {
  const fresh = !existsSync(join(repository, 'node_modules'))
  if (interrupted) say('the last installation of npm packages was interrupted; installing them again')
  else if (node !== runtime)
    say(fresh ? 'installing npm packages' : 'bringing npm packages up to date with the lockfile')
  markDone('npm-unfinished', 'yes')
  // `npm ci` empties node_modules while a service may run from it. But npm takes a package that it was
  // stopped in the middle of unpacking for a whole one, so after an interruption there is no other way.
  const command = interrupted ? ['ci'] : ['install', '--no-save']
  const result = await npm(node, [
    ...command,
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--include=optional',
  ])
  if (!result.ok) {
    throw new Error(
      `npm could not install the packages. See that the registry can be reached (npm ping), then start again. npm said:\n${lastLines(result.output)}`,
    )
  }
  forget('npm-unfinished')
}

function installedMatchesLockfile() {
  const wanted = readJson('package-lock.json')?.packages
  const installed = readJson('node_modules/.package-lock.json')?.packages
  if (!wanted) throw new Error('package-lock.json is missing. Fetch the repository again.')
  return (
    installed !== undefined &&
    holdsAll(installed, wanted, thisPlatform(), (path) => existsSync(join(repository, path)))
  )
}

/** npm keeps a list of installed packages; it has to contain everything in the lockfile for this platform. */
export function holdsAll(installed, wanted, platform, exists) {
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true
    const found = installed[path]
    // Optional packages without a platform belong to others that may be of another one.
    const isForHere = entry.cpu !== undefined && belongsOn(platform, entry)
    if (!found) return entry.optional === true && !isForHere && !exists(path)
    return found.version === entry.version && found.integrity === entry.integrity
  })
}

async function checkRuntime() {
  const { output } = await run(runtime, ['--version'])
  if (output.startsWith(`v${RUNTIME_MAJOR}.`)) return
  const { os, cpu, libc } = thisPlatform()
  throw new Error(
    `Node ${RUNTIME_MAJOR} does not run on this machine (${[os, cpu, libc].filter(Boolean).join(', ')}): ${lastLines(output, 1)}. ` +
      'Kiln needs Linux with glibc or macOS, on x64 or arm64. On such a machine remove node_modules and start again.',
  )
}

/** npm names itself to the scripts that it runs; the same npm is used again, on the given Node. */
function npm(node, args) {
  const self = process.env.npm_execpath ?? programOf('npm')
  // Debian's npm is spread over folders that only Debian's Node looks into.
  const env = self.startsWith(DEBIAN_MODULES) && node === runtime ? { NODE_PATH: DEBIAN_MODULES } : {}
  return run(node, [self, ...args], { cwd: repository, logName: 'npm.log', env })
}

function programOf(name) {
  const places = (process.env.PATH ?? '').split(delimiter).map((place) => join(place, name))
  const found = places.find((path) => existsSync(path))
  if (!found)
    throw new Error(
      `${name} is not installed. Install it beside Node (Debian and Ubuntu: apt-get install ${name}).`,
    )
  return realpathSync(found)
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(repository, path), 'utf8'))
  } catch {
    // Missing, or not JSON.
    return undefined
  }
}
