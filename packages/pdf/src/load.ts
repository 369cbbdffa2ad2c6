import { existsSync, readFileSync } from 'node:fs'
import { createRequire, enableCompileCache } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'

// How the conversion gets into a process. From the sources it is a module like any other, and Node keeps what it
// compiled for the next process. Bundled it is one script (build/program.js) with the code that V8 made of it when it
// was bundled (build/program.cache): compiling it anew costs as much as a page. V8 refuses a cache of another version
// or of other flags, and then compiles.

export type Program = typeof import('./program.ts')

/**
 * A process converts one document, and most are a page or a few: what V8 spends on making code fast that runs for
 * half a second is lost. So only what runs very much longer than usual is compiled a second time, PDFium's functions
 * are checked when they are first called, bytecode is not turned into plain machine code on the way, and patterns are
 * compiled once, not twice. Young objects get room at once: a page makes many.
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
    // Where it cannot be written, Node does without.
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
