import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// In a separate process: here the packages are loaded already.

const source = new URL('../../src/', import.meta.url)

test('every package that is bundled loads as its bundle, which has all that it exports', () => {
  const names = ['kysely', 'kysely/migration', 'pg-boss', 'typebox']
  const exportsOf = (preparation: string) => {
    const script = `
      ${preparation}
      const found = []
      for (const name of ${JSON.stringify(names)}) {
        const bundle = await import('../build/' + name.replace('/', '-') + '.mjs')
        const loaded = await import(name)
        found.push({ name, isBundle: loaded === bundle, names: Object.keys(loaded).sort() })
      }
      console.log(JSON.stringify(found))`
    const args = ['--input-type=module', '-e', script]
    return JSON.parse(execFileSync(process.execPath, args, { cwd: source, encoding: 'utf8' })) as {
      isBundle: boolean
    }[]
  }
  const plain = exportsOf('')
  const bundled = exportsOf("await import('./wiring/bundled-packages.ts')")
  expect(plain.filter(({ isBundle }) => isBundle)).toEqual([])
  expect(bundled).toEqual(plain.map((each) => ({ ...each, isBundle: true })))
})

test('every entry point of the service loads them so, before anything else', () => {
  const mains = readdirSync(source).filter((name) => name.startsWith('main-'))
  expect(mains.length).toBeGreaterThan(3)
  for (const main of mains)
    expect(readFileSync(new URL(main, source), 'utf8'), main).toMatch(
      /^import '\.\/wiring\/bundled-packages\.ts'\n/,
    )
})
