import { existsSync, readFileSync } from 'node:fs'
import { createRequire, enableCompileCache } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'

// Loads the conversion code into a process. From the sources it is an ordinary module, and Node caches the compiled
// code for the next process. Bundled, it is one script (build/program.js) with a V8 code cache that is created with the
// bundle (build/program.cache): compiling it again costs as much as converting a page. V8 rejects a cache of another
// version or of other flags, and then compiles.

export type Program = typeof import('./program.ts')

/**
 * A process converts one document, usually of a few pages, so time that V8 spends on optimizing code that runs for half
 * a second is lost. Therefore functions tier up only if they run much longer than usual, PDFium's functions are
 * validated lazily, there is no baseline compilation of bytecode, and regular expressions are compiled once, not twice.
 * The young generation is large from the start: a page allocates many objects.
 */
const flags = [
  '--wasm-tiering-budget=2000000000',
  '--wasm-lazy-validation',
  '--invocation-count-for-maglev=6000',
  '--invocation-count-for-turbofan=60000',
  '--no-sparkplug',
  '--no-regexp-tier-up',
  '--semi-space-growth-factor=16',
]

function setFlags(): void {
  for (const flag of flags) setFlagsFromString(flag)
}

export function loadProgram(): Program | Promise<Program> {
  setFlags()
  if (extname(import.meta.filename) === '.ts') {
    // If the cache cannot be written, Node works without it.
    enableCompileCache(join(import.meta.dirname, '../../../.setup/compile-cache'))
    return import('./program.ts')
  }
  return loadBundled(dirname(import.meta.filename)).program
}

export function loadBundled(folder: string): { program: Program; script: Script } {
  setFlags()
  const filename = join(folder, 'program.js')
  const cache = join(folder, 'program.cache')
  const script = new Script(
    `(function (exports, require, __filename, __dirname) {${readFileSync(filename, 'utf8')}\n})`,
    {
      filename,
      ...(existsSync(cache) ? { cachedData: readFileSync(cache) } : {}),
    },
  )
  const program = {} as Program
  script.runInThisContext()(program, createRequire(filename), filename, folder)
  return { program, script }
}
