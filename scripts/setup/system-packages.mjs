import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findAdministrator } from './administrator.mjs'
import { releaseFor } from './backports.mjs'
import { packageGroups } from './debian-packages.mjs'
import { allowServices, servicesAreHeld, withoutServices } from './quiet-services.mjs'
import { lastLines, run } from './run.mjs'
import { say, secondsSinceStart, warn } from './say.mjs'
import { hashOf, isDone, markDone, setupFolder } from './stamp.mjs'

// The programs that Kiln starts: database, sandbox, engines, fonts. On Debian and Ubuntu apt installs them, as root or
// with sudo. Without permission, the set-up prints the command for an administrator; on other systems it prints the
// names. Then it continues: Kiln starts with the installed programs and reports at the start and in `doctor` what it
// cannot convert.

const LISTS_FRESH_MS = 24 * 3600 * 1000

export async function installSystemPackages(osRelease = '/etc/os-release') {
  const system = readOsRelease(osRelease)
  const tests = process.argv.includes('--tests')
  const stamp = tests ? 'system-for-tests' : 'system'
  const groups = packageGroups.filter((group) => tests || !group.forTests)
  const here = groups.filter((group) => !group.only || group.only === system.id)
  const hash = hashOf({ files: ['scripts/setup'], texts: [system.id, system.codename, String(tests)] })
  if (isDone(stamp, hash) && here.every(isThere)) return

  if (!system.usesApt) {
    tellNames(groups.filter((group) => !isThere(group)))
    return
  }
  for (const { only, elsewhere } of groups) if (only && only !== system.id) warn(elsewhere)
  const missing = await missingPackages(here)
  if (missing.length > 0 || servicesAreHeld()) {
    const asAdmin = await findAdministrator()
    if (!asAdmin) {
      if (missing.length > 0) tellLine(here, missing)
      return
    }
    if (missing.length > 0) await install(here, system, asAdmin)
    else await allowServices(asAdmin)
  }
  markDone(stamp, hash)
}

const isThere = (group) => group.proof.some((path) => existsSync(path))

/** Packages that are not installed, without those that later releases have merged into others. */
async function missingPackages(groups) {
  const names = groups.flatMap((group) => group.packages)
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg's own placeholders
  const { output } = await run('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status}\n', ...names])
  const installed = new Set(
    output.split('\n').flatMap((line) => (line.endsWith(' installed') ? [line.split(' ')[0]] : [])),
  )
  const gone = new Set()
  for (const name of groups.flatMap((group) => group.ifAvailable ?? [])) {
    const policy = await run('apt-cache', ['policy', name])
    if (!/Candidate: (?!\(none\))\S/.test(policy.output)) gone.add(name)
  }
  return names.filter((name) => !installed.has(name) && !gone.has(name))
}

async function install(groups, system, asAdmin) {
  const quietly = {
    env: { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' },
    logName: 'apt.log',
  }
  const aptGet = (args) =>
    asAdmin(
      'apt-get',
      ['-y', '-q', '-o', 'DPkg::Lock::Timeout=600', '-o', 'Dpkg::Use-Pty=0', ...args],
      quietly,
    )
  const unfinished = await run('dpkg', ['--audit'])
  if (unfinished.output.trim() !== '') {
    say('finishing an installation of Debian packages that was interrupted')
    await withoutServices(asAdmin, () => asAdmin('dpkg', ['--configure', '-a', '--force-confold'], quietly))
  }
  if (!listsAreFresh()) {
    say('apt-get update')
    await aptGet(['update'])
  }
  // Checked again: without package lists apt did not know the available packages.
  const missing = await missingPackages(groups)
  say(`installing Debian packages; the log is ${join(setupFolder, 'apt.log')}`)
  const orders = new Map()
  for (const group of groups) {
    const names = group.packages.filter((name) => missing.includes(name))
    if (names.length === 0) continue
    const release = group.atLeast && (await releaseFor(group.atLeast, system.codename, asAdmin, aptGet))
    say(`  ${names.join(' ')}${release ? ` from ${release}` : ''}: ${group.reason}`)
    orders.set(release, [...(orders.get(release) ?? []), ...names])
  }
  await withoutServices(asAdmin, async () => {
    for (const [release, names] of orders) await order(aptGet, release, names)
  })
  say(`Debian packages are there (${secondsSinceStart()} s)`)
}

async function order(aptGet, release, names) {
  const command = ['install', '--no-install-recommends']
  let result = await aptGet([...command, ...(release ? ['-t', release] : []), ...names])
  if (!result.ok) {
    // Outdated lists name files that were removed; a backport may not fit the installed packages.
    await aptGet(['update'])
    result = await aptGet([...command, ...names])
  }
  if (result.ok) return
  throw new Error(
    `apt-get could not install ${names.join(' ')}. The log is ${join(setupFolder, 'apt.log')}; its end:\n` +
      lastLines(result.output),
  )
}

function listsAreFresh() {
  const folder = '/var/lib/apt/lists'
  const lists = existsSync(folder) ? readdirSync(folder).filter((name) => name.includes('_Packages')) : []
  return (
    lists.length > 0 &&
    lists.some((name) => Date.now() - statSync(join(folder, name)).mtimeMs < LISTS_FRESH_MS)
  )
}

function tellLine(groups, missing) {
  warn('Installing packages needs root or sudo. An administrator has to run this line, as root:')
  console.warn(`\n  apt-get update && apt-get install -y --no-install-recommends ${missing.join(' ')}\n`)
  const lacking = groups.filter((group) => group.packages.some((name) => missing.includes(name)))
  warn(`Until then Kiln goes on without ${lacking.map((group) => group.name).join(', ')}.`)
}

function tellNames(groups) {
  if (groups.length === 0) return
  warn('This is not Debian or Ubuntu, so these have to be installed by you (names as on Debian):')
  for (const group of groups) warn(`  ${group.packages.join(' ')}   # ${group.reason}`)
  warn('Going on with what is there.')
}

function readOsRelease(path) {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const field = (name) => new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(text)?.[1] ?? ''
  const family = [field('ID'), ...field('ID_LIKE').split(' ')]
  return {
    id: field('ID'),
    codename: field('VERSION_CODENAME'),
    usesApt: family.some((name) => name === 'debian' || name === 'ubuntu') && existsSync('/usr/bin/apt-get'),
  }
}
