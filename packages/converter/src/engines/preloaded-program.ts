import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nativeHelpers } from '../native-helpers.ts'
import type { PrewarmedProcess, PrewarmedProgram } from '../sandbox/prewarmed-process.ts'
import type { Sandbox, SandboxSpec } from '../sandbox/sandbox.ts'
import type { EngineRun } from './engine.ts'

// A program that does not implement the protocol of a pre-warmed process. A preloaded library (native/pause-start) stops
// it just before its main function, when its sandbox is built and its libraries are linked. If the library was not built
// or does not work, the program is started when its document comes: later, with the same result.

type Plain = Pick<SandboxSpec, 'program' | 'readOnly' | 'environment' | 'limits'>

export interface PreloadedProgram extends PrewarmedProgram {
  /** The same without the library. */
  plain: Plain
}

const library = join(nativeHelpers, 'kiln-pause-start.so')
const libraryInside = '/kiln-pause-start.so'

/** `name` is that of a program in /usr/bin. */
export const preloadedProgram = (name: string, rest: Omit<Plain, 'program'>): PreloadedProgram => {
  const plain = { ...rest, program: `/usr/bin/${name}` }
  return {
    ...plain,
    args: [],
    readOnly: [...(rest.readOnly ?? []), { from: library, to: libraryInside }],
    environment: { ...rest.environment, LD_PRELOAD: libraryInside, KILN_PAUSED_PROGRAM: name },
    plain,
  }
}

/** `sandbox` is the one that all runs share; whether preloading works is tested once for it. */
export async function openPreloaded(
  sandbox: Sandbox,
  run: Pick<EngineRun, 'open' | 'sandbox' | 'inFolder' | 'outFolder' | 'signal'>,
  program: PreloadedProgram,
): Promise<Pick<PrewarmedProcess, 'give'>> {
  if (await canPreload(sandbox)) return run.open(program)
  const { inFolder, outFolder, signal } = run
  return {
    give: ({ limits, environment, ...document }) =>
      run.sandbox.run({
        ...program.plain,
        inFolder,
        outFolder,
        signal,
        ...document,
        limits: { ...program.limits, ...limits },
        environment: { ...program.plain.environment, ...environment },
      }),
  }
}

/** The programs that can be pre-warmed. */
export const ifPreloadWorks = async (sandbox: Sandbox, programs: readonly PreloadedProgram[]) =>
  (await canPreload(sandbox)) ? programs : []

const preloadWorks = new WeakMap<Sandbox, Promise<boolean>>()

/** Tested once per sandbox: a preloaded library depends on the C library and on the sandbox level. */
export function canPreload(sandbox: Sandbox): Promise<boolean> {
  const known = preloadWorks.get(sandbox) ?? testPreload(sandbox)
  preloadWorks.set(sandbox, known)
  return known
}

const megabyte = 1024 * 1024
const testProgram = preloadedProgram('env', {
  limits: {
    wallSeconds: 10,
    cpuSeconds: 10,
    memoryBytes: 1024 * megabyte,
    processes: 32,
    fileBytes: megabyte,
    diskBytes: megabyte,
    logBytes: 64 * 1024,
  },
})

async function testPreload(sandbox: Sandbox): Promise<boolean> {
  if (!existsSync(library)) return false
  const folder = await mkdtemp(join(tmpdir(), 'kiln-paused-'))
  const [inFolder, outFolder] = [join(folder, 'in'), join(folder, 'out')]
  try {
    await mkdir(inFolder)
    await mkdir(outFolder)
    const process = await sandbox.open(testProgram, { inFolder, outFolder })
    const environment = { KILN_HELD: 'yes' }
    const { exitCode, untrustedStdout } = await process.give({ args: ['-u', 'HOME'], environment })
    return exitCode === 0 && untrustedStdout.split('\n').includes('KILN_HELD=yes')
  } catch {
    // The library cannot be loaded here: programs are started without it.
    return false
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
