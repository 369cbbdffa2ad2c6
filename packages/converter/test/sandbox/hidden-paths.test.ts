import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/create-sandbox.ts'
import { findEngineUser } from '../../src/sandbox/engine-user.ts'
import { limits } from './contract-sandbox.ts'

// Every local user can list the arguments of all processes.

const job = await mkdtemp(join(tmpdir(), 'kiln-hidden-'))
const sandbox = await createSandbox('bubblewrap', await findEngineUser())
afterAll(async () => {
  await sandbox.close()
  await rm(job, { recursive: true, force: true })
})

function allArguments(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')]
      } catch {
        // The process has ended.
        return []
      }
    })
}

test('no argument names the directories of a job or its environment', async () => {
  const [inFolder, outFolder] = [join(job, 'in'), join(job, 'out')]
  await Promise.all([mkdir(inFolder), mkdir(outFolder)])
  const controller = new AbortController()
  let seen: string[] = []
  await sandbox.run({
    program: 'perl',
    args: ['-e', '$| = 1; print "$ENV{WORD}\\n"; sleep 60', 'a-visible-argument'],
    inFolder,
    outFolder,
    limits,
    environment: { WORD: 'a-hidden-word' },
    signal: controller.signal,
    onStdoutLine(line) {
      if (line === 'a-hidden-word') seen = allArguments()
      controller.abort()
    },
  })
  expect(seen.some((text) => text.includes('a-visible-argument'))).toBe(true)
  expect(seen.filter((text) => text.includes(job) || text.includes('a-hidden-word'))).toEqual([])
})
