import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkCitations } from './citations.ts'
import { type Requirement, requirements } from './requirements.ts'

const folder = new URL('.', import.meta.url)
const sources = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts') && name !== 'requirements.test.ts')
    .map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
)

describe('the manifest of requirements', () => {
  const report = checkCitations(requirements, sources)

  test('every requirement is cited by a test', () => {
    if (report.elsewhere.length > 0)
      console.info(`Not shown by this suite's own instance:\n  ${report.elsewhere.join('\n  ')}`)
    expect(report.uncited).toEqual([])
  })

  test('every citation names a requirement', () => {
    expect(report.unknown).toEqual([])
  })

  test('ids are unique and say something', () => {
    const ids = requirements.map(({ id }) => id)
    expect(ids.length).toBe(new Set(ids).size)
    for (const { id, says } of requirements) {
      expect(id).toMatch(/^[a-z0-9-]+\.[a-z0-9-]+$/)
      expect(says.length).toBeGreaterThan(10)
    }
  })
})

describe('the check itself', () => {
  const manifest: Requirement[] = [
    { id: 'a.one', source: 'interface', says: 'One.' },
    { id: 'a.two', source: 'decision', says: 'Two.' },
    { id: 'a.three', source: 'decision', says: 'Three.', appliesTo: 's3' },
  ]

  test('reports an entry that nothing cites', () => {
    const report = checkCitations(manifest, new Map([['x.test.ts', "test(requirement('a.one'), run)"]]))
    expect(report).toEqual({ uncited: ['a.two'], unknown: [], elsewhere: ['a.three (s3)'] })
  })

  test('reports a citation of nothing', () => {
    const source = "requirement('a.one', 'a.two')\nrequirement(\n  'a.four',\n)"
    expect(checkCitations(manifest, new Map([['x.test.ts', source]])).unknown).toEqual([
      { file: 'x.test.ts', id: 'a.four' },
    ])
  })

  test('does not count a citation that is commented out', () => {
    const source = "requirement('a.one')\n  // requirement('a.two')\n/* requirement('a.two') */"
    expect(checkCitations(manifest, new Map([['x.test.ts', source]])).uncited).toEqual(['a.two'])
  })
})
