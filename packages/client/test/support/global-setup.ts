import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type OperatorSession, signInAsOperator } from '@kiln/test-support/operator-session.ts'
import { type RunningService, repository, startService } from '@kiln/test-support/start-service.ts'
import type { TestProject } from 'vitest/node'

// One running service for all tests of what people install on their own machines, and those packages
// themselves, as they would be installed.

export interface ClientTestSetup {
  baseUrl: string
  origin: string
  operator: OperatorSession
  archives: { client: string; mcp: string }
  /** For files of tests; removed at the end of the run. */
  folder: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    clientTestSetup: ClientTestSetup
  }
}

let service: RunningService | undefined
let folder: string | undefined

export async function setup(project: TestProject): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'kiln-clients-'))
  const archives = join(folder, 'archives')
  await mkdir(archives)
  const pack = promisify(execFile)(process.execPath, ['scripts/pack.ts', archives, 'client', 'mcp'], {
    cwd: repository,
  })
  try {
    const [started, packed] = await Promise.all([
      startService({ settings: { KILN_WEBHOOKS_TO_PRIVATE: '1' } }),
      pack,
    ])
    service = started
    const [client = '', mcp = ''] = packed.stdout.trim().split('\n')
    const { baseUrl, origin } = started
    const operator = await signInAsOperator(started)
    project.provide('clientTestSetup', { baseUrl, origin, operator, archives: { client, mcp }, folder })
  } catch (error) {
    await teardown()
    throw error
  }
}

export async function teardown(): Promise<void> {
  await service?.stop()
  await service?.remove()
  if (folder) await rm(folder, { recursive: true, force: true })
}
