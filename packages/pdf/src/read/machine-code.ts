import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'

// PDFium's machine code. Compiling the functions that a page calls costs as much as the page. So the set-up has V8
// compile those that our documents call, and keeps them beside the bundle (bundle.mjs). V8 refuses what it made with
// other flags or for another processor, and then compiles. Only V8's own syntax reaches the two functions that keep
// and take code, and another V8 might not have them: the name of the file holds the version that made it.

const kept = `pdfium-${process.version}.cache`

/** TypeScript knows it of browsers alone. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: object }
}

let compiled: object | undefined

export function instantiate(wasm: string, folder: string, imports: object): { exports: object } {
  const bytes = readWhole(wasm)
  const file = join(folder, kept)
  const code = existsSync(file) ? readWhole(file).buffer : undefined
  compiled = code && (callV8('DeserializeWasmModule', code, bytes) as object | undefined)
  compiled ??= new WebAssembly.Module(bytes)
  return new WebAssembly.Instance(compiled, imports)
}

/**
 * Keeps the functions that `convert` is the first to call. They are compiled for speed at once, and check bounds
 * themselves: the service runs without the guard pages that would do it for them.
 */
export async function keepPdfium(folder: string, convert: () => Promise<unknown>): Promise<void> {
  setFlagsFromString('--no-liftoff')
  setFlagsFromString('--wasm-enforce-bounds-checks')
  await convert()
  setFlagsFromString('--liftoff')
  setFlagsFromString('--no-wasm-enforce-bounds-checks')
  writeFileSync(join(folder, kept), Buffer.from(callV8('SerializeWasmModule', compiled) as ArrayBuffer))
}

/** Node gives a large file a buffer of its own; a copy would cost as much as a short page. */
function readWhole(path: string): Uint8Array<ArrayBuffer> {
  const file = readFileSync(path)
  return file.byteLength === file.buffer.byteLength ? file : new Uint8Array(file)
}

function callV8(name: string, ...args: readonly unknown[]): unknown {
  setFlagsFromString('--allow-natives-syntax')
  const call = new Script(`(a, b) => %${name}(${args.length === 1 ? 'a' : 'a, b'})`).runInThisContext()
  const result: unknown = call(...args)
  setFlagsFromString('--no-allow-natives-syntax')
  return result
}
