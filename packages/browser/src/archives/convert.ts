import SevenZip, { type SevenZipModule } from '7z-wasm'
import wasmUrl from '7z-wasm/7zz.wasm?url'
import { BrowserConversionError, damaged } from '../failure.ts'
import { maxEntries, maxUnpackedBytes } from '../limits.ts'
import type { ConversionRequest } from '../request.ts'
import { limitFileSystem, tooLarge, type UnpackLimits } from './limit-file-system.ts'

// 7-Zip as WebAssembly with a file system in memory: unpack, then pack again. Folders, dates and links are kept.

const longestLine = 1000
const [percentSign, newline] = [0x25, 0x0a]
const folder = '/unpacked'
const inner = '/inner'

/** The type of a container, and of the compression around it. */
const writers: Readonly<Record<string, { container: string; compression?: string; mediaType: string }>> = {
  zip: { container: 'zip', mediaType: 'application/zip' },
  '7z': { container: '7z', mediaType: 'application/x-7z-compressed' },
  tar: { container: 'tar', mediaType: 'application/x-tar' },
  gz: { container: 'tar', compression: 'gzip', mediaType: 'application/gzip' },
  bz2: { container: 'tar', compression: 'bzip2', mediaType: 'application/x-bzip2' },
  xz: { container: 'tar', compression: 'xz', mediaType: 'application/x-xz' },
}

export async function convert(
  request: ConversionRequest,
  onProgress: (fraction: number) => void,
): Promise<Blob> {
  const { files, source, to, password } = request
  const writer = writers[to]
  const [file] = files
  if (!writer || !file) throw new BrowserConversionError('unsupported', `Archives do not become ${to} files.`)
  const program = await start()
  program.onPercent = (percent) => onProgress((percent || 0) / 200)
  const { FS } = program.module
  FS.mkdir('/input')
  const name = `archive.${source}`
  FS.mount(program.module.WORKERFS, { blobs: [{ name, data: file }] }, '/input')
  unpack(program, `/input/${name}`, folder, password)
  const content = unpackInner(program, password)
  program.onPercent = (percent) => onProgress(0.5 + (percent || 0) / 200)
  // The content of the folder, not the folder itself.
  FS.chdir(content)
  const output = `/output.${writer.container}`
  program.run('a', `-t${writer.container}`, '-snl', output, '.')
  if (!writer.compression) return blobOf(FS, output, writer.mediaType)
  const compressed = `${output}.${to}`
  program.run('a', `-t${writer.compression}`, compressed, output)
  return blobOf(FS, compressed, writer.mediaType)
}

const limits: UnpackLimits = { bytes: maxUnpackedBytes, entries: maxEntries }

function unpack(program: Program, archive: string, target: string, password: string | undefined): void {
  refuseDeclaredSize(program, archive, password)
  // Links may point anywhere: there is nothing but the archive in this file system.
  const status = program.run('x', '-y', '-snld', `-p${password ?? ''}`, `-o${target}`, archive)
  if (status === 0) return
  if (/password/i.test(program.lines())) {
    throw new BrowserConversionError('password-protected', 'The archive is encrypted.')
  }
  throw damaged('an archive')
}

/** Most archive bombs declare their size: then nothing has to be unpacked to refuse them. */
function refuseDeclaredSize(program: Program, archive: string, password: string | undefined): void {
  let [declared, entries] = [0, 0]
  program.onLine = (line) => {
    if (line.startsWith('Path = ')) entries++
    declared += Number(/^Size = (\d+)$/.exec(line)?.[1] ?? 0)
  }
  program.run('l', '-slt', `-p${password ?? ''}`, archive)
  program.onLine = () => {}
  if (declared > limits.bytes || entries > limits.entries) throw tooLarge(limits)
}

/** A compressed tar is two archives in each other: what matters is inside the tar. */
function unpackInner(program: Program, password: string | undefined): string {
  const { FS } = program.module
  const names = FS.readdir(folder).filter((name) => name !== '.' && name !== '..')
  const only = `${folder}/${names[0]}`
  if (names.length !== 1 || !FS.isFile(FS.lstat(only).mode) || !isTarOrCpio(startOf(FS, only))) return folder
  unpack(program, only, inner, password)
  FS.unlink(only)
  return inner
}

function startOf(FS: SevenZipModule['FS'], path: string): string {
  const bytes = new Uint8Array(512)
  const stream = FS.open(path, 'r')
  FS.read(stream, bytes, 0, bytes.length, 0)
  FS.close(stream)
  return String.fromCharCode(...bytes)
}

const isTarOrCpio = (start: string): boolean => start.startsWith('ustar', 257) || /^0707/.test(start)

const blobOf = (FS: SevenZipModule['FS'], path: string, type: string): Blob =>
  new Blob([FS.readFile(path) as Uint8Array<ArrayBuffer>], { type })

interface Program {
  module: SevenZipModule
  onPercent: (percent: number) => void
  onLine: (line: string) => void
  /** Exit status of a command; 2 and more are errors. */
  run(...args: string[]): number
  /** The output of the last command. */
  lines(): string
}

async function start(): Promise<Program> {
  let text = ''
  let codes: number[] = []
  const write = (code: number) => {
    if (code === percentSign) program.onPercent(Number.parseInt(String.fromCharCode(...codes.slice(-3)), 10))
    if (code !== newline && codes.length < longestLine) return void codes.push(code)
    const line = String.fromCharCode(...codes)
    program.onLine(line)
    text = `${text}${line}\n`.slice(-10 * longestLine)
    codes = []
  }
  const wasmBinary = await (await fetch(wasmUrl)).arrayBuffer()
  const module = await SevenZip({ wasmBinary, stdin: () => 0, stdout: write, stderr: write })
  const limited = limitFileSystem(module, limits)
  const program: Program = {
    module,
    onPercent: () => {},
    onLine: () => {},
    lines: () => text,
    run(...args) {
      text = ''
      codes = []
      const status = call(module, [...args, '-bsp1'])
      limited.check()
      return status
    },
  }
  return program
}

/** 7-Zip throws C++ exceptions about damaged files out of its module. */
function call(module: SevenZipModule, args: string[]): number {
  try {
    return module.callMain(args) as unknown as number
  } catch {
    // Its exit code for a fatal error.
    return 2
  }
}
