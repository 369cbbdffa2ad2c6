import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { convertPdf } from '../src/convert.ts'

// The bundle is what the service starts. It has to take the code that was kept for it, and to make what the sources
// make.

const folder = join(import.meta.dirname, '..')
const build = join(folder, 'build')
const document = join(folder, 'fixtures/evidence-3.pdf')

const flagsOfService = ['--disable-wasm-trap-handler', '--no-warnings']

function said(flags: readonly string[], script: string): string {
  const load = `import { loadBundled } from ${JSON.stringify(join(folder, 'src/load.ts'))}
    const { script } = loadBundled(${JSON.stringify(build)})
    ${script}`
  return execFileSync(process.execPath, [...flags, '--input-type=module', '-e', load], { encoding: 'utf8' })
}

it('takes the kept code, also with the flags of the service', () => {
  for (const flags of [[], flagsOfService])
    expect(said(flags, 'process.stdout.write(String(script.cachedDataRejected))')).toBe('false')
})

it("takes PDFium's kept machine code, also with the flags of the service", () => {
  const code = join(build, `pdfium-${process.version}.cache`)
  const wasm = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')
  const take = `import { readFileSync } from 'node:fs'
    process.getBuiltinModule('node:v8').setFlagsFromString('--allow-natives-syntax')
    const [code, wasm] = ${JSON.stringify([code, wasm])}.map((path) => new Uint8Array(readFileSync(path)))
    const taken = new (process.getBuiltinModule('node:vm').Script)('(a, b) => %DeserializeWasmModule(a, b)')
    process.stdout.write(String(taken.runInThisContext()(code.buffer, wasm)))`
  for (const flags of [[], flagsOfService]) expect(said(flags, take)).toBe('[object WebAssembly.Module]')
})

it('makes what the sources make, with a thread and without', async () => {
  const place = mkdtempSync(join(tmpdir(), 'kiln-bundle-'))
  try {
    const made = (flags: string[]): string => {
      const out = join(place, 'out.md')
      execFileSync(process.execPath, [...flags, join(build, 'main.js'), document, out], { stdio: 'ignore' })
      return readFileSync(out, 'utf8')
    }
    const expected = Buffer.from(await convertPdf(readFileSync(document), 'md')).toString('utf8')
    expect(made([])).toBe(expected)
    // So little heap that a page fills the share that is used without a thread.
    expect(made(['--max-old-space-size=30'])).toBe(expected)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})

/** Two pictures on each of three pages: pixels, and a drawn curve. One page has a letterhead less. */
function pdfWithPictures(): Buffer {
  const text = 'BT /F1 12 Tf 60 700 Td (Words that stand above the pictures of this page.) Tj ET'
  const curve = '1 0 0 RG 3 w 80 200 m 120 300 180 100 260 220 c S'
  const image = 'q 90 0 0 60 80 400 cm /Im1 Do Q'
  const pages = [0, 1, 2].map((n) => `${text} ${curve} ${n === 2 ? '' : image}`)
  const kids = pages.map((_, n) => `${5 + 2 * n} 0 R`).join(' ')
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count 3>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    '<</Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/ASCIIHexDecode/Length 9>>stream\n0080C0FF>\nendstream',
    ...pages.flatMap((content, n) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${6 + 2 * n} 0 R/Resources<</Font<</F1 3 0 R>>/XObject<</Im1 4 0 R>>>>>>`,
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
    ]),
  ]
  const body = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<</Root 1 0 R/Size ${objects.length + 1}>>\n%%EOF\n`)
}

it('marks the same pictures whether they are painted or not', async () => {
  const read = async (pictures: 'mark' | 'embed') =>
    Buffer.from(await convertPdf(pdfWithPictures(), 'md', { pictures })).toString('utf8')
  const marked = await read('mark')
  expect(marked.match(/!\[/g)?.length).toBeGreaterThanOrEqual(2)
  expect((await read('embed')).replace(/\]\(data:[^)]*\)/g, ']()')).toBe(marked)
})
