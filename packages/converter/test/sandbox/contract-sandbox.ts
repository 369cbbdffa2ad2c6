import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { preloadedProgram } from '../../src/engines/preloaded-program.ts'
import type { Limits, Sandbox, SandboxResult, SandboxSpec } from '../../src/sandbox/sandbox.ts'

// Runs the small programs of the contract: a sandbox for all of them, a folder and a mark for each.

const megabyte = 1024 * 1024

export const limits: Limits = {
  // On a busy machine ten seconds may be one of CPU time.
  wallSeconds: 90,
  cpuSeconds: 5,
  memoryBytes: 256 * megabyte,
  processes: 40,
  fileBytes: 8 * megabyte,
  diskBytes: 24 * megabyte,
  logBytes: 64 * 1024,
}

export type Manner = 'at once' | 'after a wait'
type Rest = Partial<SandboxSpec>

export interface ContractSandbox {
  readonly manner: Manner
  /** Folder of the test, with `in` and `out` in it. */
  readonly job: string
  /** Part of the arguments of every program, so that its remaining processes can be found. */
  readonly mark: string
  run(program: string, args: readonly string[], rest?: Rest): Promise<SandboxResult>
  perl(script: string, rest?: Rest): Promise<SandboxResult>
  shell(script: string, rest?: Rest): Promise<SandboxResult>
}

export function useContractSandbox(
  open: () => Promise<Sandbox & { close(): Promise<void> }>,
  manner: Manner,
): ContractSandbox {
  let sandbox: Sandbox & { close(): Promise<void> }
  let job: string
  let mark: string

  beforeAll(async () => {
    sandbox = await open()
  })
  afterAll(() => sandbox.close())
  beforeEach(async () => {
    job = await mkdtemp(join(tmpdir(), 'kiln-contract-'))
    mark = `mark-${job.slice(-6)}`
    await mkdir(join(job, 'in'))
    await mkdir(join(job, 'out'))
    return () => rm(job, { recursive: true, force: true })
  })

  const run = async (
    program: string,
    args: readonly string[],
    rest: Partial<SandboxSpec> = {},
  ): Promise<SandboxResult> => {
    const given = { ...rest, limits: { ...limits, ...rest.limits } }
    const folders = { inFolder: join(job, 'in'), outFolder: join(job, 'out') }
    if (manner === 'at once') return sandbox.run({ program, args, ...folders, ...given })
    const { signal, onStdoutLine, ...known } = given
    // Processor time and the wall clock come with the document.
    const programLimits = { ...given.limits, cpuSeconds: 100, wallSeconds: 100 }
    const spec = { ...preloadedProgram(basename(program), { ...known, limits: programLimits }), args }
    const prewarmed = await sandbox.open(spec, folders)
    try {
      await prewarmed.ready
      const { cpuSeconds, wallSeconds } = given.limits
      return await prewarmed.give({
        args: [],
        limits: { cpuSeconds, wallSeconds },
        ...(signal ? { signal } : {}),
        ...(onStdoutLine ? { onStdoutLine } : {}),
      })
    } finally {
      await prewarmed.end()
    }
  }
  return {
    manner,
    run,
    get job() {
      return job
    },
    get mark() {
      return mark
    },
    perl: (script, rest = {}) => run('perl', ['-e', script, mark], rest),
    shell: (script, rest = {}) => run('/bin/sh', ['-c', script, mark], rest),
  }
}
