import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { loadBundled } from './src/load.ts'

// The program as scripts for the sandbox: Node strips and compiles a hundred small files anew in every process, which
// costs more than converting a page. The conversion itself is run on documents of ours, and the code that V8 made of
// it and of PDFium is kept beside it (src/load.ts, src/read/machine-code.ts).

const folder = dirname(fileURLToPath(import.meta.url))
const build = resolve(process.argv[2] ?? join(folder, 'build'))
for (const name of ['main', 'worker', 'program']) {
  const bundle = await rolldown({
    input: join(folder, `src/${name}.ts`),
    platform: 'node',
    external: name === 'program' ? [] : [/program\.ts$/],
    // As a script it has `require` and no `import`.
    resolve: { alias: { '@embedpdf/pdfium': createRequire(import.meta.url).resolve('@embedpdf/pdfium') } },
  })
  await bundle.write({ file: join(build, `${name}.js`), format: 'cjs', minify: true })
}
writeFileSync(join(build, 'package.json'), '{ "type": "commonjs" }\n')

const { program, script } = loadBundled(build)
const documents = join(folder, 'fixtures')
const scan = 'scan.pdf'
await program.keepPdfium(build, async () => {
  const read = (name) => readFileSync(join(documents, name))
  for (const name of readdirSync(documents).filter((name) => name.endsWith('.pdf') && name !== scan))
    for (const format of ['md', 'docx']) await program.convertPdf(read(name), format, { pictures: 'mark' })
  // Fails without tesseract, which is optional.
  await program.convertPdf(read(scan), 'md').catch(() => undefined)
})
writeFileSync(join(build, 'program.cache'), script.createCachedData())
