// @module-tag slow

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repository } from '@kiln/test-support/start-service.ts'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import type { ApiDescription } from './openapi.ts'
import type { GeneratedLibrary } from './through-generated-client.ts'

// The suite of the interface once more, through a client that is generated from the OpenAPI document.

// Other files have read the same modules in this worker, and others will: this one has its own.
vi.resetModules()
const { send, speakThrough } = await import('./service.ts')
const { generateLibrary } = await import('./through-generated-client.ts')
const { baseUrl } = inject('instances').main
let library: GeneratedLibrary
// Not while tests are collected: most runs skip them all.
beforeAll(async () => {
  library = await generateLibrary(baseUrl)
  speakThrough(library)
})
afterAll(async () => {
  await library?.remove()
  vi.resetModules()
})

const { describeInterface } = await import('./interface-suites.ts')
describeInterface('the generated client')

test('every operation of the document was called', async () => {
  expect(await library.describePair('md-to-html')).toMatchObject({ body: { pair: 'md-to-html' } })
  const { paths } = (await send(`${baseUrl}/openapi.json`)).body as ApiDescription
  const described = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
  )
  expect([...library.operationsUsed].sort()).toEqual(described.sort())
})

test('the compiler accepts the generated client', async () => {
  const compiler = join(repository, 'node_modules/.bin/tsc')
  const modules = ['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler']
  await promisify(execFile)(compiler, ['--noEmit', '--strict', ...modules, 'index.ts'], {
    cwd: library.folder,
  })
})
