import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// In separate processes: hooks stay registered.

const source = new URL('../../src/', import.meta.url)

/** The URL of every module that a thread loads for a file, in order. */
const modulesLoaded = (preparation: string): string[] => {
  const script = `
    import { registerHooks } from 'node:module'
    ${preparation}
    const urls = []
    registerHooks({ load(url, context, next) { urls.push(url); return next(url, context) } })
    await import('./read-ahead.ts')
    console.log(JSON.stringify(urls))`
  const args = ['--input-type=module', '-e', script]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: source, encoding: 'utf8' })) as string[]
}

test('every module is found where Node finds it', () => {
  const found = modulesLoaded("await import('./threads/resolve-sources.ts')")
  expect(found.length).toBeGreaterThan(100)
  expect(found).toEqual(modulesLoaded(''))
})

test('a missing module is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-missing-module-'))
  try {
    await writeFile(join(folder, 'present.ts'), "import './missing.ts'\n")
    const hooks = new URL('threads/resolve-sources.ts', source).href
    const args = ['--import', hooks, join(folder, 'present.ts')]
    expect(() => execFileSync(process.execPath, args, { stdio: 'pipe' })).toThrow(`${folder}/missing.ts`)
  } finally {
    await rm(folder, { recursive: true })
  }
})
