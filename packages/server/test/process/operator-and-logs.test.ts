import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { admin, endOf, type ServiceProcess, startService, surroundingsOf } from './service-process.ts'

// One service from its first start: its output for the operator, and the content of its log.

let folder: string
let service: ServiceProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-operator-'))
  service = await startService(folder, { KILN_LOG_LEVEL: 'debug' })
  await vi.waitFor(() => expect(passwordIn(service.output())).toBeDefined(), { timeout: 5000 })
})
afterAll(async () => {
  await service?.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const passwordIn = (output: string) => /^ {2}([a-z2-9]{5}(?:-[a-z2-9]{5}){3})$/m.exec(output)?.[1]
const keyIn = (output: string) => /kiln_live_[0-9A-Za-z]{38}/.exec(output)?.[0] as string
/** One that is refused, and one whose conversion fails. */
async function submitWithPassword(headers: Record<string, string>, password: string): Promise<void> {
  const submit = (options: object) =>
    fetch(`${service.origin}/api/v1/conversions`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ pair: 'pdf-to-md', bytes: 5, options }),
    })
  expect((await submit({ password, pages: 'none' })).status).toBe(400)
  const job = (await (await submit({ password })).json()) as { uploadUrl: string; pollUrl: string }
  await fetch(job.uploadUrl, { method: 'PUT', body: '%PDF-' })
  expect((await endOf(service.origin + job.pollUrl, headers)).status).toBe('failed')
}

const signIn = (password: string) =>
  fetch(`${service.origin}/console/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.origin },
    body: JSON.stringify({ password }),
  })

describe('the log', () => {
  const secrets: string[] = []
  let lines: Record<string, unknown>[] = []
  let jobId = ''

  beforeAll(async () => {
    const key = keyIn(service.output())
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const submitted = await fetch(`${service.origin}/api/v1/conversions`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ pair: 'md-to-html', bytes: 5 }),
    })
    const job = (await submitted.json()) as { jobId: string; uploadUrl: string; pollUrl: string }
    jobId = job.jobId
    const forged = job.uploadUrl.replace(
      /signature=(.)/,
      (_, first) => `signature=${first === '_' ? '-' : '_'}`,
    )
    await fetch(forged, { method: 'PUT', body: 'hello' })
    await fetch(job.uploadUrl, { method: 'PUT', body: 'hello, too long' })
    await fetch(job.uploadUrl, { method: 'PUT', body: 'hello' })
    const done = await endOf<{ status: string; downloadUrl: string }>(service.origin + job.pollUrl, headers)
    const { downloadUrl } = done
    await fetch(downloadUrl)
    await fetch(`${service.origin}/api/v1/usage`, { headers: { authorization: `Bearer ${key}x` } })
    await fetch(`${service.origin}/api/v1/usage?key=${key}`, { headers })
    await submitWithPassword(headers, 'a horse behind the hedge')
    const password = passwordIn(service.output()) as string
    const session = String((await signIn(password)).headers.get('set-cookie'))
    await signIn(`${password}x`)
    const signatureOf = (url: string) => new URL(url).searchParams.get('signature') as string
    secrets.push(key, password, signatureOf(job.uploadUrl), signatureOf(forged), signatureOf(downloadUrl))
    secrets.push('a horse behind the hedge')
    secrets.push(/kiln_console=([\w-]+)/.exec(session)?.[1] as string)
    const read = () =>
      service
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    const hasFailure = () => read().some(({ msg }) => msg === 'a sign-in to the console failed')
    await vi.waitFor(() => expect(hasFailure()).toBe(true), { timeout: 5000 })
    lines = read()
  })

  test('is JSON lines that name the request and the job', () => {
    const requests = lines.filter(({ msg }) => msg === 'request')
    expect(requests.length).toBeGreaterThan(7)
    for (const line of requests) expect(line.requestId).toMatch(/^[0-9a-f-]{36}$/)
    const ofJob = lines.filter((line) => line.jobId === jobId)
    const submit = ofJob.find((line) => line.method === 'POST')
    expect(submit).toMatchObject({ path: '/api/v1/conversions', status: 201 })
    expect(ofJob.filter((line) => line.method === 'PUT').map(({ status }) => status)).toEqual([403, 400, 200])
    expect(ofJob.find(({ msg }) => msg === 'conversion ended')).toMatchObject({
      pair: 'md-to-html',
      engine: 'pandoc',
      result: 'done',
      attempt: 1,
    })
  })

  test('never holds a key, a password, a session or the signature of a link', () => {
    const text = JSON.stringify(lines)
    expect(secrets).toHaveLength(7)
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(20)
      expect(text).not.toContain(secret)
    }
    expect(text).not.toMatch(/signature=(?!\(hidden\))/)
    // The key and the password were printed once, for the operator, outside the log.
    for (const shown of secrets.slice(1, 2)) expect(service.output().split(shown)).toHaveLength(2)
  })

  test('is for people on a terminal', async () => {
    const module = new URL('../../src/log/log.ts', import.meta.url).href
    const program = `import('${module}').then(({ createLog }) => createLog('info', process.stdout.isTTY === true).info({ jobId: 'x1' }, 'hello'))`
    const { stdout } = await promisify(execFile)('script', [
      '-qec',
      `'${process.execPath}' -e "${program}"`,
      '/dev/null',
    ])
    expect(stdout).toMatch(/INFO.*hello/)
    expect(stdout).toContain('x1')
    expect(stdout).not.toContain('{"level"')
  })
})

describe('the operator’s password', () => {
  test('is set on the command line, from standard input too, and ends what was before', async () => {
    const made = await admin(folder, 'operator', 'set-password', '--json')
    const { password } = JSON.parse(made.stdout) as { password: string }
    expect((await signIn(password)).status).toBe(200)
    const program = new URL('../../src/main-admin.ts', import.meta.url).pathname
    const command = `echo 'from standard input' | '${process.execPath}' '${program}' operator set-password --stdin`
    const set = await promisify(execFile)('sh', ['-c', command], { env: surroundingsOf(folder) })
    expect(set.stdout).toContain('The password is set.')
    expect((await signIn(password)).status).toBe(401)
    expect((await signIn('from standard input')).status).toBe(200)
  })

  test('is not made again by the next start', async () => {
    await service.stop('SIGTERM')
    service = await startService(folder)
    expect(passwordIn(service.output())).toBeUndefined()
    expect((await signIn('from standard input')).status).toBe(200)
  })
})
