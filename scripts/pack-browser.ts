import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { type Plugin, rolldown } from 'rolldown'

// @kiln/browser as others install it: ES modules without dependencies, which every bundler can split. WebAssembly stays
// in separate files, next to the modules, with the licences of its contents.

const run = promisify(execFile)

/** Builds into `target`; the caller writes package.json. */
export async function buildBrowser(repository: string, target: string): Promise<void> {
  const source = join(repository, 'packages/browser')
  const name = (file: string) => join(source, 'src', file)
  const build = await rolldown({
    input: { index: name('index.ts'), targets: name('targets.ts'), worker: name('worker.ts') },
    platform: 'browser',
    plugins: [assetUrls(source, target), workerUrl],
    // Branches for Node, which a browser does not reach.
    external: /^(node:|module$|fs$|path$|crypto$|url$|vm$|ws$|worker_threads$|perf_hooks$)/,
  })
  const { output } = await build.write({
    dir: target,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await build.close()
  await emitTypes(repository, source, target)
  await writeLicences(
    output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : [])),
    target,
  )
}

/** `import url from 'library/file.wasm?url'`, as Vite understands it, becomes the address of a copy beside the module. */
const assetUrls = (source: string, target: string): Plugin => {
  const require = createRequire(join(source, 'package.json'))
  const suffix = '?url'
  return {
    name: 'asset-urls',
    resolveId: (id) => (id.endsWith(suffix) ? `\0${id}` : null),
    async load(id) {
      if (!id.startsWith('\0') || !id.endsWith(suffix)) return null
      const path = require.resolve(id.slice(1, -suffix.length))
      await mkdir(target, { recursive: true })
      await copyFile(path, join(target, basename(path)))
      return `export default new URL('./${basename(path)}', import.meta.url).href`
    },
  }
}

const workerUrl: Plugin = {
  name: 'worker-url',
  transform: (code, id) =>
    id.endsWith('run-in-worker.ts') ? code.replace("'./worker.ts'", "'./worker.js'") : null,
}

/** Declarations alone; the configuration is written to `config` for the time being. */
export async function emitDeclarations(
  repository: string,
  config: string,
  {
    rootDir,
    outDir,
    ...files
  }: { rootDir: string; outDir: string; extends: string; include: string[]; files: string[] },
): Promise<void> {
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rewriteRelativeImportExtensions: true,
    rootDir,
    outDir,
  }
  await writeFile(config, JSON.stringify({ ...files, compilerOptions }))
  const tsc = join(repository, 'node_modules/.bin/tsc')
  await run(tsc, ['-p', config], { cwd: repository }).finally(() => rm(config))
}

async function emitTypes(repository: string, source: string, target: string): Promise<void> {
  const types = join(target, 'types')
  await emitDeclarations(repository, join(source, 'tsconfig.types.json'), {
    extends: './tsconfig.json',
    rootDir: './src',
    outDir: types,
    include: [],
    files: ['src/index.ts'],
  })
  // Only the types of the two entry points.
  for (const name of ['index', 'targets', 'failure', 'limits']) {
    const text = await readFile(join(types, `${name}.d.ts`), 'utf8')
    await writeFile(join(target, `${name}.d.ts`), text.replace(/(from '\.[^']*)\.ts'/g, "$1.js'"))
  }
  await rm(types, { recursive: true })
}

/** The licences of the libraries inside, in their own words. */
async function writeLicences(modules: readonly string[], target: string): Promise<void> {
  const folder = join(target, 'licences')
  await mkdir(folder)
  const roots = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []))
  for (const root of roots) {
    const files = (await readdir(root)).filter((name) => /licen[cs]e/i.test(name))
    const facts = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<string, string>
    const texts = await Promise.all(files.map((name) => readFile(join(root, name), 'utf8')))
    const name = `${String(facts.name).replace(/^@/, '').replace('/', '-')}.txt`
    await writeFile(
      join(folder, name),
      [`${facts.name} ${facts.version}: ${facts.license}`, ...texts].join('\n\n'),
    )
  }
}
