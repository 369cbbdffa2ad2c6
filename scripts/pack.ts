import { execFile } from 'node:child_process'
import { chmod, copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { buildBrowser, emitDeclarations } from './pack-browser.ts'

// `npm run pack [FOLDER [NAME…]]`: builds the packages that people install on their own machines, as archives in dist/
// or in FOLDER: client, mcp and browser, or the named ones. The repository itself runs from source; installed packages
// are bundled: the library as ES module and as CommonJS, with types for both, the programs as one file each, so that
// they start quickly.

const run = promisify(execFile)
const repository = resolve(import.meta.dirname, '..')

interface PackageJson {
  name: string
  version: string
  license: string
  description: string
  homepage: string
  repository: object
  bugs: string
  dependencies?: Record<string, string>
}

async function packClient(folder: string): Promise<string> {
  const source = join(repository, 'packages/client')
  const target = join(source, 'dist')
  const entry = join(source, 'src/index.ts')
  await emptyFolder(target)
  await bundle(entry, join(target, 'esm/index.js'), 'esm')
  await bundle(entry, join(target, 'cjs/index.js'), 'cjs')
  await program(join(source, 'src/cli/main.ts'), join(target, 'kiln.js'), [])
  await emitTypes(entry, join(target, 'esm'))
  for (const part of ['client', 'contract']) {
    await cp(join(target, 'esm', part), join(target, 'cjs', part), { recursive: true })
  }
  await writeJson(join(target, 'cjs/package.json'), { type: 'commonjs' })
  const facts = await readFacts(source)
  await writeJson(join(target, 'package.json'), {
    ...publicFacts(facts),
    bin: { kiln: './kiln.js' },
    exports: {
      '.': {
        import: { types: './esm/client/src/index.d.ts', default: './esm/index.js' },
        require: { types: './cjs/client/src/index.d.ts', default: './cjs/index.js' },
      },
      './package.json': './package.json',
    },
    main: './cjs/index.js',
    types: './cjs/client/src/index.d.ts',
    engines: { node: '>=20' },
    sideEffects: false,
  })
  return npmPack(source, target, folder)
}

async function packMcp(folder: string): Promise<string> {
  const source = join(repository, 'packages/mcp')
  const target = join(source, 'dist')
  await emptyFolder(target)
  const facts = await readFacts(source)
  // The client is bundled; dependencies that are in the registry are not.
  const { '@kiln/client': _inside, ...dependencies } = facts.dependencies ?? {}
  await program(join(source, 'src/main.ts'), join(target, 'kiln-mcp.js'), Object.keys(dependencies))
  await writeJson(join(target, 'package.json'), {
    ...publicFacts(facts),
    bin: { 'kiln-mcp': './kiln-mcp.js' },
    dependencies,
    engines: { node: '>=20.3' },
  })
  return npmPack(source, target, folder)
}

async function packBrowser(folder: string): Promise<string> {
  const source = join(repository, 'packages/browser')
  const target = join(source, 'dist')
  await emptyFolder(target)
  await buildBrowser(repository, target)
  await writeJson(join(target, 'package.json'), {
    ...publicFacts(await readFacts(source)),
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './targets': { types: './targets.d.ts', default: './targets.js' },
    },
  })
  return npmPack(source, target, folder)
}

const publicFacts = ({ name, version, license, description, homepage, repository, bugs }: PackageJson) => ({
  name,
  version,
  license,
  description,
  homepage,
  repository,
  bugs,
  type: 'module',
})

async function bundle(input: string, file: string, format: 'esm' | 'cjs', external: string[] = []) {
  const isOutside = (id: string) =>
    id.startsWith('node:') || external.some((name) => id === name || id.startsWith(`${name}/`))
  const build = await rolldown({ input, platform: 'node', external: isOutside })
  await build.write({ file, format, codeSplitting: false })
  await build.close()
}

async function program(input: string, file: string, external: string[]): Promise<void> {
  await bundle(input, file, 'esm', external)
  await chmod(file, 0o755)
}

/** Declarations of the library and of the contract beside it, which users do not install. */
async function emitTypes(entry: string, target: string): Promise<void> {
  await emitDeclarations(repository, join(target, 'tsconfig.json'), {
    extends: join(repository, 'tsconfig.json'),
    rootDir: join(repository, 'packages'),
    outDir: target,
    // The whole contract is included by path: types that are found only through node_modules are not emitted.
    include: [join(repository, 'packages/contract/src')],
    files: [entry],
  })
  for (const name of await readdir(target, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue
    const path = join(target, name)
    const up = '../'.repeat(name.split('/').length - 1)
    const text = await readFile(path, 'utf8')
    await writeFile(
      path,
      text
        .replaceAll("'@kiln/contract'", `'${up}contract/src/index.js'`)
        .replace(/(from '\.[^']*)\.ts'/g, "$1.js'"),
    )
  }
}

async function npmPack(source: string, target: string, folder: string): Promise<string> {
  await copyFile(join(source, 'README.md'), join(target, 'README.md'))
  await copyFile(join(repository, 'LICENSE'), join(target, 'LICENSE'))
  await mkdir(folder, { recursive: true })
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: target,
  })
  const packed = JSON.parse(stdout) as { filename: string }[] | Record<string, { filename: string }>
  const [first] = Object.values(packed)
  if (first === undefined) throw new Error(`npm pack said: ${stdout}`)
  return join(folder, first.filename)
}

const readFacts = async (source: string): Promise<PackageJson> =>
  JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as PackageJson

const writeJson = (path: string, value: unknown) => writeFile(path, `${JSON.stringify(value, null, 2)}\n`)

async function emptyFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
  await mkdir(path, { recursive: true })
}

const folder = resolve(process.env.INIT_CWD ?? '.', process.argv[2] ?? join(repository, 'dist'))
const packers = { client: packClient, mcp: packMcp, browser: packBrowser }
const wanted = process.argv.slice(3)
for (const [name, pack] of Object.entries(packers)) {
  if (wanted.length === 0 || wanted.includes(name)) console.log(await pack(folder))
}
