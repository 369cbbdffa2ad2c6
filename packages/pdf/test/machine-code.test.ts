import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

// (memory 1) (func (export "read") (param i32) (result i32) local.get 0 i32.load)
const module = [
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 127, 1, 127, 3, 2, 1, 0, 5, 3, 1, 0, 1],
  ...[7, 8, 1, 4, 114, 101, 97, 100, 0, 0, 10, 9, 1, 7, 0, 32, 0, 40, 2, 0, 11],
]
const afterMemory = [65_536, 0x7fff_0000, -4]
const source = JSON.stringify(join(import.meta.dirname, '../src/read/machine-code.ts'))

it('kept code stays within its memory where no guard pages stand behind it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-machine-code-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const wasm = join(folder, 'read.wasm')
  writeFileSync(wasm, Uint8Array.from(module))
  const say = (flags: readonly string[], script: string): string =>
    execFileSync(
      process.execPath,
      [
        ...[...flags, '--no-warnings', '--input-type=module', '-e'],
        `import { instantiate, keepPdfium } from ${source}
        const open = () => instantiate(${JSON.stringify(wasm)}, ${JSON.stringify(folder)}, {}).exports
        ${script}`,
      ],
      { encoding: 'utf8' },
    )
  say([], `await keepPdfium(${JSON.stringify(folder)}, async () => open().read(0))`)
  for (const flags of [[], ['--disable-wasm-trap-handler']]) {
    const answers = say(
      flags,
      `const { read } = open()
      const answerOf = (at) => { try { return read(at) } catch ({ message }) { return message } }
      process.stdout.write(JSON.stringify(${JSON.stringify([0, ...afterMemory])}.map(answerOf)))`,
    )
    const [first, ...others] = JSON.parse(answers)
    expect(first).toBe(0)
    expect(others).toEqual(afterMemory.map(() => 'memory access out of bounds'))
  }
})
