import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { constants, endianness, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { getSystemErrorName } from 'node:util'
import { nativeHelpers } from '../native-helpers.ts'
import { signalName } from './endings.ts'
import type { EngineUser } from './engine-user.ts'
import type { Command } from './level.ts'

// The client of the launcher (native/launcher/launcher.c, which describes the protocol): a small process that starts the
// commands of sandboxes, because a fork of the service itself is expensive. There is one for each process or thread that
// needs it. It is started for the first command, and again after it has died; its commands die with it.

export interface LaunchRequest extends Omit<Command, 'hidesOptions'> {
  /** Read by the command from its sixth descriptor. */
  options: readonly string[]
  user: Pick<EngineUser, 'uid' | 'gid'> | undefined
  /** Descriptors that become pipes besides stdout and stderr. */
  pipes: readonly number[]
  filter: number | undefined
}

/** The part of ChildProcess that sandboxes use. */
export interface SpawnedProcess
  extends Pick<ChildProcess, 'pid' | 'stdio' | 'exitCode' | 'signalCode' | 'ref' | 'unref'> {
  /** CPU time with all processes that it has waited for, once it has ended; known only if the launcher started it. */
  readonly cpuSeconds?: number
  /** CPU time of a process that the command left behind, once it has ended. Absent if Node started the command. */
  cpuSecondsOfOrphan?(pid: number): Promise<number>
  once(event: 'exit' | 'close', listener: (code: number | null, signal: string | null) => void): unknown
  once(event: 'error', listener: (error: Error) => void): unknown
}

interface Launcher {
  /** The path of its socket, once it listens. */
  ready: Promise<string>
}

const binary = join(nativeHelpers, 'kiln-launcher')
const orphanMilliseconds = 1000
let current: Launcher | undefined
let lastNumber = 0

export const hasLauncher = (): boolean => existsSync(binary)

/** Rejects when the command cannot be started. */
export async function launch(request: LaunchRequest): Promise<SpawnedProcess> {
  current ??= startLauncher()
  const launcher = current
  const socketPath = await launcher.ready
  lastNumber = (lastNumber + 1) % 2 ** 31
  const number = lastNumber
  const descriptors = [1, 2, ...request.pipes].sort()
  const streams = descriptors.map((descriptor) => openStream(socketPath, number, descriptor))
  const body = encode(request, descriptors)
  const control = connectTo(socketPath, Buffer.concat([header('C', number, body.length), body]))
  const started = await firstAnswer(control)
  if (started?.letter !== 'p') {
    if (!started) forget(launcher)
    for (const socket of [control, ...streams]) socket.destroy()
    const reason = started ? getSystemErrorName(-started.value) : 'the launcher has ended'
    throw new Error(`${request.command} cannot be started: ${reason}`)
  }
  const stdio: SpawnedProcess['stdio'] = [null, null, null, null, null]
  for (const [index, descriptor] of descriptors.entries()) stdio[descriptor] = streams[index] as Socket
  return new LaunchedProcess(started.value, {
    control,
    stdio,
    onLost: () => forget(launcher),
    askAboutOrphan: (pid) => askAboutOrphan(socketPath, pid),
  })
}

const forget = (launcher: Launcher) => {
  if (current === launcher) current = undefined
}

function startLauncher(): Launcher {
  // The path of a socket may have 107 characters.
  const parent = tmpdir().length < 80 ? tmpdir() : '/tmp'
  const socketPath = join(mkdtempSync(join(parent, 'kiln-launcher-')), 'socket')
  const remove = () => rmSync(dirname(socketPath), { recursive: true, force: true })
  // In a separate session: a signal from the terminal ends the service first, which still needs the launcher.
  const child = spawn(binary, [socketPath], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
    cwd: '/',
    env: {},
  })
  process.once('exit', remove)
  // EPIPE: it has ended, which is noticed below.
  child.stdin.on('error', () => {})
  const ready = new Promise<string>((resolve, reject) => {
    const onEnd = () => {
      forget(launcher)
      process.off('exit', remove)
      remove()
      reject(new Error('The launcher of sandboxes does not start.'))
    }
    child.once('exit', onEnd).once('error', onEnd)
    child.stdout.once('data', () => {
      // It must not keep the event loop alive.
      for (const handle of [child, child.stdin as Socket, child.stdout as Socket]) handle.unref()
      resolve(socketPath)
    })
  })
  const launcher = { ready }
  return launcher
}

interface Connections {
  control: Socket
  stdio: SpawnedProcess['stdio']
  /** Called when the launcher ends before the process. */
  onLost(): void
  askAboutOrphan(pid: number): Promise<number>
}

/** A process that the launcher started, with the events of a ChildProcess. */
class LaunchedProcess extends EventEmitter {
  cpuSeconds = 0
  exitCode: number | null = null
  signalCode: NodeJS.Signals | null = null
  readonly pid: number
  readonly stdio: SpawnedProcess['stdio']
  readonly #control: Socket
  readonly #askAboutOrphan: Connections['askAboutOrphan']

  constructor(pid: number, { control, stdio, onLost, askAboutOrphan }: Connections) {
    super()
    this.#askAboutOrphan = askAboutOrphan
    this.pid = pid
    this.stdio = stdio
    this.#control = control
    const open = stdio.filter((stream) => stream !== null)
    const allClosed = Promise.all(open.map((stream) => closed(stream as Socket)))
    void firstAnswer(control).then(async (used) => {
      this.cpuSeconds = (used?.value ?? 0) / 1000
      const ended = used && (await firstAnswer(control))
      control.destroy()
      // When a launcher dies, its commands die too; the closed connection is noticed before its exit event.
      if (!ended) onLost()
      this.#setStatus(ended?.value ?? constants.signals.SIGKILL)
      stdio[0]?.destroy()
      this.emit('exit', this.exitCode, this.signalCode)
      await allClosed
      this.emit('close', this.exitCode, this.signalCode)
    })
  }

  #setStatus(status: number): void {
    const signal = status & 0x7f
    if (signal === 0) this.exitCode = (status >> 8) & 0xff
    else this.signalCode = (signalName(signal) ?? 'SIGKILL') as NodeJS.Signals
  }

  cpuSecondsOfOrphan(pid: number): Promise<number> {
    return this.#askAboutOrphan(pid)
  }

  ref(): void {
    this.#control.ref()
  }

  unref(): void {
    this.#control.unref()
  }
}

/** 0 if the orphan does not end in time, although it was killed, or if the launcher has ended. */
async function askAboutOrphan(socketPath: string, pid: number): Promise<number> {
  const socket = connectTo(socketPath, header('O', pid, 0))
  socket.setTimeout(orphanMilliseconds, () => socket.destroy())
  const used = await firstAnswer(socket)
  socket.destroy()
  return (used?.value ?? 0) / 1000
}

const closed = (stream: Readable | Socket): Promise<unknown> =>
  new Promise((resolve) => (stream.closed ? resolve(undefined) : stream.once('close', resolve)))

/** Only stdin is written to; the other end of the others closes when the command ends. */
function openStream(socketPath: string, number: number, descriptor: number): Socket {
  const socket = connectTo(socketPath, header('S', number, descriptor))
  if (descriptor === 0) socket.resume()
  else socket.end()
  return socket
}

function connectTo(path: string, first: Buffer): Socket {
  const socket = connect({ path, allowHalfOpen: true })
  // The end of the connection is reported as the end of the command.
  socket.on('error', () => {})
  socket.write(first)
  return socket
}

const isLittle = endianness() === 'LE'

function header(letter: 'S' | 'C' | 'O', number: number, value: number): Buffer {
  const bytes = Buffer.alloc(9)
  bytes.write(letter)
  if (isLittle) bytes.writeUInt32LE(value, bytes.writeUInt32LE(number, 1))
  else bytes.writeUInt32BE(value, bytes.writeUInt32BE(number, 1))
  return bytes
}

interface Answer {
  letter: string
  value: number
}

const answerBytes = 5

/** The next answer; undefined when the connection ends without one. */
function firstAnswer(control: Socket): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const finish = (answer: Answer | undefined) => {
      control.off('readable', onReadable).off('close', onClose).off('end', onClose)
      resolve(answer)
    }
    const onReadable = () => {
      const bytes = control.read(answerBytes) as Buffer | null
      if (bytes === null) return
      const value = isLittle ? bytes.readInt32LE(1) : bytes.readInt32BE(1)
      finish({ letter: String.fromCharCode(bytes[0] ?? 0), value })
    }
    const onClose = () => finish(undefined)
    control.on('readable', onReadable).on('close', onClose).on('end', onClose)
  })
}

function encode(request: LaunchRequest, descriptors: readonly number[]): Buffer {
  const { command, args, options, environment, workingFolder, user, filter } = request
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const fields = [
    descriptors.join(''),
    user ? String(user.uid) : '',
    user ? String(user.gid) : '',
    filter === undefined ? '' : `/proc/${process.pid}/fd/${filter}`,
    workingFolder,
    String(variables.length),
    ...variables,
    String(options.length),
    ...options,
    command,
    ...args,
  ]
  return Buffer.from(fields.map((field) => `${field}\0`).join(''))
}
