import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { EngineParts } from '../engine.ts'
import { createProfileSource } from './profile.ts'

async function makeCache() {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-profiles-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [cache, scratch] = [join(folder, 'cache'), join(folder, 'scratch')]
  for (const made of [cache, scratch]) await mkdir(made)
  const sandbox = {
    async run({ outFolder }: { outFolder: string }) {
      await mkdir(join(outFolder, 'profile'))
      return { ending: 'exited', exitCode: 0 }
    },
  }
  const parts = { sandbox, cache, scratch } as unknown as EngineParts
  return { cache, findProfile: () => createProfileSource(parts)() }
}

test('of the profiles of other versions the two that were used last stay', async () => {
  const { cache, findProfile } = await makeCache()
  const years = { 'office-profile-a': 2021, 'office-profile-b': 2023, 'office-profile-c.draft': 2020 }
  for (const [name, year] of Object.entries({ ...years, 'office-profile-d': 2022, fonts: 2019 })) {
    await mkdir(join(cache, name))
    await utimes(join(cache, name), new Date(year, 1), new Date(year, 1))
  }
  const made = await findProfile()
  expect(new Set((await readdir(cache)).map((name) => join(cache, name)))).toEqual(
    new Set([made, ...['office-profile-b', 'office-profile-d', 'fonts'].map((name) => join(cache, name))]),
  )
})

test('a profile that is found again counts as used', async () => {
  const { findProfile } = await makeCache()
  const made = await findProfile()
  const past = new Date(2020, 1)
  await utimes(made, past, past)
  expect(await findProfile()).toBe(made)
  expect((await stat(made)).mtimeMs).toBeGreaterThan(past.getTime())
})
