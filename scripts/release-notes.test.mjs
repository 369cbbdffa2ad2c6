import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { releaseNotes } from './release-notes.mjs'
import { repository } from './setup/stamp.mjs'

const read = (path) => readFileSync(join(repository, path), 'utf8')
const { version } = JSON.parse(read('package.json'))
const changelog = read('CHANGELOG.md')

test('the version of package.json has its notes in the changelog, which links no tag before it exists', () => {
  expect(releaseNotes(`v${version}`, version, changelog)).toMatch(/^### \w+\n- /m)
  expect(changelog).toMatch(
    new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm'),
  )
  expect(changelog).not.toMatch(/^\[[^\]]+\]: /m)
})

test('the notes are those of one version, without the links at the end', () => {
  const text =
    '# Changelog\n\n## [Unreleased]\n- c\n\n## [2.0.0] - 2026-02-01\n- b\n\n## [1.0.0] - 2026-01-01\n- a\n\n[1.0.0]: https://x\n'
  expect(releaseNotes('v2.0.0', '2.0.0', text)).toBe('- b\n')
  expect(releaseNotes('v1.0.0', '1.0.0', text)).toBe('- a\n')
})

test('a tag of another version and a version without notes are refused', () => {
  expect(() => releaseNotes('v9.9.9', version, changelog)).toThrow(
    /The tag is v9\.9\.9, but package\.json says/,
  )
  expect(() => releaseNotes('v9.9.9', '9.9.9', changelog)).toThrow(/no notes under "## \[9\.9\.9\]/)
})

test('every package has the version of the whole, and says where it is developed', () => {
  for (const name of readdirSync(join(repository, 'packages'))) {
    expect(JSON.parse(read(`packages/${name}/package.json`)).version, name).toBe(version)
  }
  for (const path of ['package.json', 'packages/client/package.json', 'packages/mcp/package.json']) {
    const { repository: home, bugs, homepage } = JSON.parse(read(path))
    expect(home.url, path).toBe('git+https://github.com/kiln-convert/kiln.git')
    expect(bugs, path).toBe('https://github.com/kiln-convert/kiln/issues')
    expect(homepage, path).toMatch(/^https:\/\/github\.com\/kiln-convert\/kiln/)
  }
})
