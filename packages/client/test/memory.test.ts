// @module-tag slow

import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { baseUrl, newKey, temporaryFolder } from '@kiln/test-support/client-service.ts'
import { beforeAll, expect, test } from 'vitest'
import { run, serveZeros } from './support/run.ts'

// Files go through, never into, memory: 400 MB in a process whose heap may have 32.

const megabyte = 1024 * 1024
const bytes = 400 * megabyte
const maxGrowth = 100
const probe = fileURLToPath(new URL('support/memory-probe.ts', import.meta.url))

let folder: string
let key: string
beforeAll(async () => {
  folder = await temporaryFolder()
  key = await newKey()
})

const growthOf = async (...args: string[]) => {
  const env = { KILN_URL: baseUrl, KILN_API_KEY: key }
  const ran = await run(process.execPath, ['--max-old-space-size=32', probe, ...args], { env })
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  return Number(ran.stdout)
}

test('a file of 400 MB is sent without being held', async () => {
  const path = join(folder, 'large.mov')
  const file = await open(path, 'w')
  await file.truncate(bytes)
  await file.close()
  expect(await growthOf('upload', path)).toBeLessThan(maxGrowth)
})

test('an output of 400 MB is written without being held', async () => {
  const server = await serveZeros(bytes)
  const path = join(folder, 'large.out')
  try {
    expect(await growthOf('download', server.url, path)).toBeLessThan(maxGrowth)
  } finally {
    server.close()
  }
  expect((await stat(path)).size).toBe(bytes)
})
