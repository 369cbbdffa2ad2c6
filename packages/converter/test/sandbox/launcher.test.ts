import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { type LaunchRequest, launch, type SpawnedProcess } from '../../src/sandbox/launcher.ts'

const shell = (script: string, request: Partial<LaunchRequest> = {}): LaunchRequest => ({
  command: '/bin/sh',
  args: ['-c', script],
  environment: { PATH: '/usr/bin:/bin' },
  workingFolder: '/',
  user: undefined,
  pipes: [],
  filter: undefined,
  options: [],
  ...request,
})

const stdout = (child: SpawnedProcess) => text(child.stdio[1] as Readable)
const ending = async (child: SpawnedProcess) => {
  for (const stream of child.stdio.slice(1)) (stream as Readable | null)?.resume()
  return await new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })))
}
const parentOf = (pid: number | undefined): number =>
  Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

test('a command gets its arguments, environment, directory and nothing else', async () => {
  const script = 'echo "$0 $1|$GIVEN|$HOME|$(pwd)|$(ls /proc/self/fd | tr "\\n" " ")"'
  const request = shell(script, { environment: { PATH: '/bin', GIVEN: 'a b' }, workingFolder: '/usr' })
  const child = await launch({ ...request, args: [...request.args, 'zero', 'ö "x"'] })
  const [seen, ended] = await Promise.all([stdout(child), ending(child)])
  // The last descriptor is that of the directory which ls lists.
  expect(seen).toBe('zero ö "x"|a b||/usr|0 1 2 3 4 \n')
  expect(ended).toEqual({ code: 0, signal: null })
})

test('exit codes and signals are reported', async () => {
  expect(await ending(await launch(shell('exit 7')))).toEqual({ code: 7, signal: null })
  expect(await ending(await launch(shell('kill -TERM $$')))).toEqual({ code: null, signal: 'SIGTERM' })
})

test('stdin, stderr and the status pipe are separate', async () => {
  const child = await launch(shell('cat; echo error >&2; echo status >&3', { pipes: [0, 3] }))
  const [input, ...outputs] = child.stdio as [Writable, ...Readable[]]
  input.end('from stdin')
  expect(await Promise.all(outputs.slice(0, 3).map((each) => text(each)))).toEqual([
    'from stdin',
    'error\n',
    'status\n',
  ])
})

test('options are not among the arguments', async () => {
  const child = await launch(
    shell('tr "\\0" " " <&5; tr "\\0" " " < /proc/$$/cmdline', { options: ['--a', 'ö b'] }),
  )
  const [seen] = await Promise.all([stdout(child), ending(child)])
  expect(seen).toMatch(/^--a ö b \/bin\/sh -c tr/)
})

test('CPU time is reported, with that of children', async () => {
  const compute = "perl -e 'do { $_++ for my @a = 1..20000; @t = times } until $t[0] + $t[1] > 0.3'"
  const child = await launch(shell(`${compute}; ${compute}`))
  await ending(child)
  expect(child.cpuSeconds).toBeGreaterThan(0.5)
  expect(child.cpuSeconds).toBeLessThan(1.2)
})

test('a command that does not exist is refused with the reason', async () => {
  await expect(launch(shell('', { command: '/nowhere/program' }))).rejects.toThrow(
    '/nowhere/program cannot be started: ENOENT',
  )
  await expect(launch(shell('', { workingFolder: '/nowhere' }))).rejects.toThrow('ENOENT')
})

test('an engine is the first that the kernel ends when memory runs out', async () => {
  expect(await stdout(await launch(shell('cat /proc/self/oom_score_adj')))).toBe('1000\n')
})

test('two hundred commands at once keep their streams apart', async () => {
  const outputs = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const child = await launch(shell('cat', { pipes: [0] }))
      ;(child.stdio[0] as Writable).end(`${index} `.repeat(5000))
      return (await stdout(child)) === `${index} `.repeat(5000)
    }),
  )
  expect(outputs.every(Boolean)).toBe(true)
})

test('when the launcher dies, its commands count as killed and the next command gets another launcher', async () => {
  const child = await launch(shell('exec sleep 1000'))
  const launcher = parentOf(child.pid)
  expect(launcher).not.toBe(process.pid)
  process.kill(launcher, 'SIGKILL')
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
  expect(await ended).toEqual({ code: null, signal: 'SIGKILL' })
  // Without a sandbox nothing ends it with its parent.
  process.kill(child.pid as number, 'SIGKILL')
  expect(await ending(await launch(shell('exit 3')))).toEqual({ code: 3, signal: null })
})

test('a launcher whose service was killed ends and removes its socket', async () => {
  const module = new URL('../../src/sandbox/launcher.ts', import.meta.url).href
  const code = `const { launch } = await import(${JSON.stringify(module)})
    const child = await launch(${JSON.stringify(shell('exec sleep 1000'))})
    console.log(child.pid)`
  const service = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(service.stdout, 'data')) as [Buffer]
  const sleeping = Number(line.toString())
  const launcher = parentOf(sleeping)
  const socket = readFileSync(`/proc/${launcher}/cmdline`, 'utf8').split('\0')[1] as string
  expect(existsSync(socket)).toBe(true)
  service.kill('SIGKILL')
  await expect.poll(() => existsSync(`/proc/${launcher}`), { timeout: 20_000 }).toBe(false)
  process.kill(sleeping, 'SIGKILL')
  expect(existsSync(socket)).toBe(false)
  expect(readdirSync(tmpdir()).filter((name) => socket.includes(`/${name}/`))).toEqual([])
})

test('descriptors that the service inherited do not reach a command', () => {
  const module = new URL('../../src/sandbox/launcher.ts', import.meta.url).href
  const code = `const { launch } = await import(${JSON.stringify(module)})
    const child = await launch(${JSON.stringify(shell('ls /proc/self/fd | wc -l'))})
    child.stdio[1].pipe(process.stdout)`
  // The shell opens descriptor 9 for the service.
  const seen = execFileSync('/bin/sh', [
    '-c',
    'exec 9</dev/zero; exec "$@"',
    'sh',
    process.execPath,
    '--input-type=module',
    '-e',
    code,
  ])
  expect(seen.toString().trim()).toBe('5')
})

test('the CPU time of a process that outlives its command is known once it has ended', async () => {
  const busy = 'do { $_++ for my @a = 1..20000; @t = times } until $t[0] + $t[1] > 0.3'
  const child = await launch(shell(`perl -e '${busy}' >&2 & echo $!`))
  const [printed] = await Promise.all([stdout(child), ending(child)])
  const used = await child.cpuSecondsOfOrphan?.(Number(printed))
  expect(used).toBeGreaterThanOrEqual(0.3)
  expect(child.cpuSeconds).toBeLessThan(0.3)
  // It is reported once; an unknown process has no CPU time.
  expect(await child.cpuSecondsOfOrphan?.(Number(printed))).toBe(0)
  expect(await child.cpuSecondsOfOrphan?.(process.pid)).toBe(0)
})
