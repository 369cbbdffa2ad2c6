import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'
import { isSent, parseIgnore } from '../../../../deploy/prove-image/build-context.ts'
import { parseDockerfile } from '../../../../deploy/prove-image/parse-dockerfile.ts'
import { pathIn, read } from './repository.ts'

// What can be said of the image without building it; `npm run prove-image` builds it.

interface PackageGroup {
  name: string
  packages: string[]
  forTests?: boolean
}
const { packageGroups } = (await import(pathIn('scripts/setup/debian-packages.mjs'))) as {
  packageGroups: PackageGroup[]
}

const source = read('Dockerfile')
const [build, image] = parseDockerfile(source)

const installed = (text: string) =>
  /apt-get install -y --no-install-recommends (.*?) &&/.exec(text)?.[1]?.trim().split(/\s+/) ?? []
const packagesOf = (stage: typeof image) =>
  stage?.instructions.flatMap(({ name, text }) => (name === 'RUN' ? installed(text) : [])) ?? []

describe('the Dockerfile', () => {
  test('has no fault that a linter finds', () => {
    expect(validate(source).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([])
  })

  test('installs the programs of the set-up’s table, and nothing that only a build or a test needs', () => {
    const left = ['database', 'compiler', 'curl']
    const inTable = packageGroups
      .filter((group) => !left.includes(group.name) && !group.forTests)
      .flatMap(({ packages }) => packages)
      // For the compiler, for the benchmark, and gone in Debian 13.
      .filter((name) => !['libreofficekit-dev', 'python3-uno', 'fonts-liberation2'].includes(name))
    expect(packagesOf(image).sort()).toEqual([...inTable, 'ca-certificates', 'tini'].sort())
    expect(packagesOf(build)).toEqual(expect.arrayContaining(['gcc', 'make', 'libreofficekit-dev']))
  })

  test('is Debian 13, and runs as an ordinary user', () => {
    expect([build?.image, image?.image]).toEqual(['debian:trixie-slim', 'debian:trixie-slim'])
    const user = image?.instructions.filter(({ name }) => name === 'USER').at(-1)?.text
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  })
})

describe('the build context', () => {
  const lines = parseIgnore(read('.dockerignore'))
  test.each([
    'package.json',
    'package-lock.json',
    'packages/server/src/main-api.ts',
    'packages/server/src/engines/pandoc/safe-document.lua',
    'packages/converter/native/Makefile',
    'deploy/docker/kiln',
  ])('holds %s', (path) => expect(isSent(path, lines)).toBe(true))
  test.each([
    '.env',
    '.git/config',
    'node_modules/fastify/package.json',
    'packages/server/node_modules/x/index.js',
    'packages/server/test/support/swift.ts',
    'packages/server/src/config.test.ts',
    'packages/converter/native/build/kiln-office',
    'docs/scaling.md',
    'deploy/systemd/kiln.service',
  ])('does not hold %s', (path) => expect(isSent(path, lines)).toBe(false))
})
