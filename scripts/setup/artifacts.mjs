import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildArtifact, withRuntime } from './build-artifact.mjs'
import { run } from './run.mjs'
import { warn } from './say.mjs'
import { setupFolder } from './stamp.mjs'

// Everything that set-up builds from the sources.

const converter = 'packages/converter'
const consoleFolder = 'packages/console'
const fonts = `${converter}/fonts`
const native = `${converter}/native`
const programs = `${converter}/sandboxed-programs`
const stubs = `${native}/stub-libraries`
const within = (folder, ...names) => names.map((name) => `${folder}/${name}`)

export const buildArtifacts = () => {
  const ffmpeg = statSync('/usr/bin/ffmpeg', { throwIfNoEntry: false })
  return Promise.all([...artifacts(), ...(ffmpeg ? [stubLibraries(ffmpeg)] : [])].map(buildArtifact))
}

const artifacts = () => [
  {
    name: 'native',
    description: 'the native helpers',
    directory: native,
    sources: within(native, 'Makefile', 'jail', 'launcher', 'office', 'pause-start', 'tesseract'),
    result: 'kiln-jail',
    command: (target) => ['make', '-C', native, `BUILD=${target}`],
    // Kiln works without, slower.
    optional: true,
  },
  {
    // The web app and the operator console. The files of the server-rendered pages need no build.
    name: 'console',
    description: 'the web app and the console',
    directory: consoleFolder,
    sources: [
      'packages/browser/src',
      ...within(consoleFolder, 'src', 'pages', 'app.html', 'index.html', 'vite.config.ts', 'package.json'),
    ],
    result: 'app.html',
    command: (target) =>
      withRuntime(
        'node_modules/vite/bin/vite.js',
        'build',
        '--logLevel',
        'warn',
        '--outDir',
        target,
        consoleFolder,
      ),
    env: { NODE_ENV: 'production' },
  },
  {
    name: 'pdf-engine',
    description: 'the bundle of the PDF engine',
    directory: 'packages/pdf',
    sources: within('packages/pdf', 'src', 'bundle.mjs', 'package.json'),
    result: 'main.js',
    command: (target) => withRuntime('packages/pdf/bundle.mjs', target),
  },
  {
    name: 'sandboxed-programs',
    description: 'the programs that open archives and e-mails',
    directory: programs,
    sources: [...within(converter, 'src', 'package.json'), `${programs}/bundle.mjs`],
    result: 'open-archive.mjs',
    command: (target) => withRuntime(`${programs}/bundle.mjs`, target),
  },
  {
    // Packages of the service that consist of hundreds of files. It works without the bundles, and starts slower.
    name: 'packages',
    description: 'bundles of packages',
    directory: 'packages/server',
    sources: ['packages/server/bundle.mjs'],
    result: 'typebox.mjs',
    command: (target) => withRuntime('packages/server/bundle.mjs', target),
    optional: true,
  },
  {
    // In place of Microsoft's. Kiln works without them, with the system's.
    name: 'fonts',
    description: 'the metric-compatible fonts',
    directory: fonts,
    sources: [fonts],
    inputs: [systemFonts()],
    result: 'fonts.conf',
    command: (target) => withRuntime(`${fonts}/build.ts`, target),
    finish: writeFontCache,
    optional: true,
  },
]

/** In place of libraries of ffmpeg that no conversion uses; built again after an update of ffmpeg. */
const stubLibraries = ({ size, mtimeMs }) => ({
  name: 'stub-libraries',
  description: 'stub libraries for ffmpeg',
  directory: stubs,
  sources: [`${stubs}/make.mjs`],
  inputs: [String(size), String(mtimeMs)],
  result: 'made-for',
  command: (target) => withRuntime(`${stubs}/make.mjs`, target),
  optional: true,
})

async function writeFontCache(target, output) {
  const missing = output.split('\n').filter((line) => line.trim() !== '').length
  if (missing > 0)
    warn(
      `${missing} fonts could not be built: packages are missing (${join(setupFolder, 'fonts.log')} names them)`,
    )
  // Programs in the sandbox cannot write a cache; without one each of them reads every font.
  await run('fc-cache', ['-f', join(target, 'fonts')], {
    env: { FONTCONFIG_FILE: join(target, 'fonts.conf') },
    logName: 'fonts.log',
  })
}

/** Changes when a font package is installed, removed or updated. */
function systemFonts() {
  const folders = ['truetype', 'opentype'].map((name) => join('/usr/share/fonts', name))
  return folders.map((path) => (existsSync(path) ? String(statSync(path).mtimeMs) : '')).join(' ')
}
