import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'

// A cache of PDFium's compiled WebAssembly code. Compiling the functions that a page calls costs as much as the page,
// so set-up has V8 compile the functions that sample documents call and stores them beside the bundle (bundle.mjs). V8
// rejects code that was compiled with other flags or for another CPU, and then compiles. The functions that serialize
// and deserialize code are only available through V8's native syntax and may be missing in another version, so the file
// name contains the V8 version.

const kept = `pdfium-${process.version}.cache`

/** TypeScript declares it only for browsers. */
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
 * Serializes the functions that `convert` calls. They are compiled with the optimizing compiler and with explicit
 * bounds checks: the service runs without the guard pages that would replace them.
 */
export async function keepPdfium(folder: string, convert: () => Promise<unknown>): Promise<void> {
  setFlagsFromString('--no-liftoff')
  setFlagsFromString('--wasm-enforce-bounds-checks')
  await convert()
  setFlagsFromString('--liftoff')
  setFlagsFromString('--no-wasm-enforce-bounds-checks')
  writeFileSync(join(folder, kept), Buffer.from(callV8('SerializeWasmModule', compiled) as ArrayBuffer))
}

/** Node allocates a separate buffer for a large file; a copy would cost as much as a short page. */
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
