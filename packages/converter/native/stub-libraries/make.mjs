import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Debian's ffmpeg is linked with two hundred libraries: for screens, loudspeakers, speech, networks. Loading them takes
// a seventh of a second of CPU time, most of it for code that no conversion uses. For each of those this script builds a
// stub library of the same name: it has the functions that ffmpeg is linked with, and each of them ends the program.
// The engine puts the stubs first in the library path (src/engines/ffmpeg/stub-libraries.ts). The programs then start in
// an eighth of the time, and an attacker who controls a decoder finds less code to use.
//
// Decoders and demuxers are kept: for a stream of an unknown kind every demuxer is tried. `made-for` lists the files
// that were linked with the stubbed libraries, with size and time: other versions may need functions that are missing.

const programs = ['/usr/bin/ffmpeg', '/usr/bin/ffprobe']

/** Without `lib` and the version. */
const stubs = new Set(
  [
    // Cameras, screens, loudspeakers and CDs.
    'raw1394 avc1394 rom1394 iec61883 dc1394 cdio_paranoia cdio_cdda caca GL',
    'SDL2-2.0 X11 Xext Xv xcb xcb-shm xcb-shape xcb-xfixes',
    'asound jack openal pulse sndio',
    // Processors of graphics cards.
    'va va-drm va-x11 vdpau drm OpenCL placebo',
    // Speech, and effects on sound.
    'flite flite_cmu_us_awb flite_cmu_us_kal flite_cmu_us_kal16 flite_cmu_us_rms',
    'flite_cmu_us_slt pocketsphinx sphinxbase lilv-0 rubberband bs2b mysofa',
    // Text that is drawn into pictures, SVG, and pictures that are steadied.
    'ass fontconfig freetype fribidi harfbuzz rsvg-2 cairo gobject-2.0 glib-2.0',
    'vidstab',
    // Discs, and fingerprints of songs.
    'bluray chromaprint',
    // Ways through a network.
    'rabbitmq rist srt-gnutls ssh ssh-gcrypt zmq',
    // Encoders of formats that Kiln does not write, and codecs that it does not read (src/engines/ffmpeg/codecs.ts).
    'rav1e SvtAv1Enc x265 aom xvidcore theoraenc theoradec shine twolame gsm codec2',
    'jxl jxl_threads webp webpmux snappy mfx',
    // Manifests of streams from a network. It brings the tables of all of Unicode.
    'xml2',
  ].flatMap((names) => names.split(' ')),
)
/** libavcodec asks these what their libraries can do when it lists its codecs. The answer is: nothing. */
const answersNothing = /^(?:x265_api_get_\d+|aom_codec_(?:av1_[cd]x|get_caps|version))$/
const isStub = (library) => stubs.has(/^lib(.*?)\.so\b/.exec(library)?.[1])

const run = (program, ...args) =>
  execFileSync(program, args, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' }, maxBuffer: 64e6 })

const neededBy = (file) =>
  [...run('readelf', '-dW', file).matchAll(/\(NEEDED\).*\[(.*)\]/g)].map(([, name]) => name)

/** `name@VERSION`, or `name`, with the letter that `nm` has for its kind. */
const symbolsOf = (file, which) =>
  run('nm', '-D', which, file)
    .split('\n')
    .flatMap((line) => {
      const [kind, name] = line.trim().split(/\s+/).slice(-2)
      return name ? [{ kind, name: name.replace('@@', '@') }] : []
    })

/** Where the loader finds each library of the programs. */
function findLibraries() {
  const lines = programs.flatMap((program) => run('ldd', program).split('\n'))
  const found = lines.map((line) => /^\s*(\S+) => (\/\S+)/.exec(line)).filter((each) => each !== null)
  return new Map(found.map(([, name, path]) => [name, path]))
}

const paths = findLibraries()
const stay = new Set(programs)
const linked = new Set()
const names = new Set()
for (const file of stay) {
  for (const library of neededBy(file)) {
    if (isStub(library)) {
      names.add(library)
      linked.add(file)
    } else if (paths.has(library)) stay.add(paths.get(library))
  }
}
const wanted = new Set(
  [...linked].flatMap((file) => symbolsOf(file, '--undefined-only').map(({ name }) => name)),
)

const target = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), 'build')
mkdirSync(target, { recursive: true })
for (const library of names) makeLibrary(library, paths.get(library))
const facts = [...linked].map((file) => {
  const { size, mtimeMs } = statSync(realpathSync(file))
  return `${file} ${size} ${Math.floor(mtimeMs / 1000)}\n`
})
writeFileSync(join(target, 'made-for'), facts.join(''))
// A program that does not start with them, or cannot list its codecs, is better off without.
execFileSync(programs[0], ['-codecs'], { env: { LD_LIBRARY_PATH: target }, stdio: 'ignore' })
run('chmod', '-R', 'a+rX', target)

function makeLibrary(library, original) {
  const symbols = new Map()
  for (const { kind, name } of symbolsOf(original, '--defined-only')) {
    const [plain, version = ''] = name.split('@')
    if (wanted.has(name) || wanted.has(plain)) symbols.set(plain, { kind, version })
  }
  const source = [...symbols].map(([name, { kind }]) => {
    if (/[BDRVG]/.test(kind)) return `long ${name}[64];`
    return answersNothing.test(name)
      ? `long ${name}(void) { return 0; }`
      : `void ${name}(void) { __builtin_trap(); }`
  })
  const versions = new Set(
    [...symbols.values()].map(({ version }) => version).filter((version) => version !== ''),
  )
  const script = [...versions].map((version) => {
    const inVersion = [...symbols].filter(([, symbol]) => symbol.version === version)
    return `${version} { global: ${inVersion.map(([name]) => `${name};`).join(' ')} };`
  })
  const [sourceFile, scriptFile] = [join(target, 'source.c'), join(target, 'versions')]
  writeFileSync(sourceFile, source.join('\n'))
  writeFileSync(scriptFile, script.join('\n'))
  execFileSync('cc', [
    '-shared',
    '-fPIC',
    '-w',
    '-nostdlib',
    '-fno-builtin',
    `-Wl,-soname,${library}`,
    ...(script.length > 0 ? [`-Wl,--version-script=${scriptFile}`] : []),
    '-o',
    join(target, library),
    sourceFile,
  ])
  rmSync(sourceFile)
  rmSync(scriptFile)
}
