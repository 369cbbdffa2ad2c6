import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { admin, isAlive, postgresPid, type ServiceProcess, startService } from './service-process.ts'

const keyIn = (output: string) => /kiln_live_[0-9A-Za-z]{38}/.exec(output)?.[0]
const temporaryFolder = () => mkdtemp(join(tmpdir(), 'kiln-process-'))

describe('npm start', () => {
  let folder: string
  let service: ServiceProcess
  let key: string
  const usageWith = (secret: string) =>
    fetch(`${service.origin}/api/v1/usage`, { headers: { authorization: `Bearer ${secret}` } })

  beforeAll(async () => {
    folder = await temporaryFolder()
    service = await startService(folder)
    await vi.waitFor(() => expect(keyIn(service.output())).toBeDefined(), { timeout: 15_000 })
    key = keyIn(service.output()) as string
  })
  afterAll(async () => {
    await service?.stop('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  })

  test('makes a first account, shows its key once, and the three lines convert a file', async () => {
    const lines = service
      .output()
      .split('\n')
      .filter((line) => /^(JOB=|curl )/.test(line))
    expect(lines).toHaveLength(3)
    const place = await temporaryFolder()
    await writeFile(join(place, 'README.md'), '# Fired clay\n\nSome *text*.\n')
    await promisify(execFile)('sh', ['-ec', lines.join('\n')], { cwd: place })
    const html = await readFile(join(place, 'README.html'), 'utf8')
    expect(html).toContain('Fired clay</h1>')
    expect(html).toContain('<em>text</em>')
    await rm(place, { recursive: true })
  })

  test('refuses to run twice on one folder, and leaves the first one alone', { tags: 'slow' }, async () => {
    await expect(startService(folder)).rejects.toThrow('Another Kiln runs')
    expect((await fetch(`${service.origin}/readyz`)).status).toBe(200)
  })

  test('a port that is taken is said in one sentence, and nothing is left running', {
    tags: 'slow',
  }, async () => {
    const other = await temporaryFolder()
    const port = new URL(service.origin).port
    await expect(startService(other, { KILN_PORT: port })).rejects.toThrow('EADDRINUSE')
    expect(await postgresPid(other)).toBeNull()
    await rm(other, { recursive: true, force: true })
  })

  test('the admin command line works while the service runs', async () => {
    const made = await admin(folder, 'account', 'create', '--name', 'Ada', '--json')
    const { key: adas } = JSON.parse(made.stdout) as { key: { id: string; key: string } }
    expect((await usageWith(adas.key)).status).toBe(200)
    expect((await admin(folder, 'key', 'revoke', adas.id)).code).toBe(0)
    expect((await usageWith(adas.key)).status).toBe(401)
    expect((await fetch(`${service.origin}/readyz`)).status).toBe(200)
  })

  const signals = [
    { signal: 'SIGTERM', tags: [] },
    { signal: 'SIGINT', tags: ['slow'] },
    { signal: 'SIGHUP', tags: ['slow'] },
  ] as const
  for (const { signal, tags } of signals)
    test(`${signal} stops everything, the database too; the next start goes on with the same accounts and no new key`, {
      tags: [...tags],
    }, async () => {
      const database = await postgresPid(folder)
      expect(database).not.toBeNull()
      expect(await service.stop(signal)).toBe(0)
      await expect.poll(() => isAlive(database as number)).toBe(false)
      service = await startService(folder)
      expect((await usageWith(key)).status).toBe(200)
      expect(keyIn(service.output())).toBeUndefined()
    })

  test('after kill -9 the next start takes over, database and data', async () => {
    await service.stop('SIGKILL')
    expect(await postgresPid(folder)).not.toBeNull()
    service = await startService(folder)
    expect((await usageWith(key)).status).toBe(200)
  })

  test('faults of the configuration are reported together', async () => {
    const faults = { KILN_PREFIX: 'x', KILN_SLOTS_VIDEO: 'many' }
    await expect(startService(folder, faults)).rejects.toThrow(/KILN_PREFIX[\s\S]*KILN_SLOTS_VIDEO/)
  })
})

describe('the admin command line, while the service does not run,', () => {
  let folder: string
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('works, and leaves no database behind', { tags: 'slow' }, async () => {
    const made = await admin(folder, 'account', 'create', '--name', 'Ada', '--json')
    expect(made.code).toBe(0)
    const { account, key } = JSON.parse(made.stdout)
    expect(account.name).toBe('Ada')
    expect(keyIn(key.key)).toBe(key.key)
    expect(await postgresPid(folder)).toBeNull()
  })

  test('says what is wrong and what to do, without a stack trace', async () => {
    const missing = await admin(folder, 'key', 'create', '--account', '01234567-89ab-4def-8123-456789abcdef')
    expect(missing.code).toBe(1)
    expect(missing.stderr).toContain('account list')
    expect(missing.stderr).not.toMatch(/\n\s+at /)
    expect((await admin(folder, 'key', 'revoke', 'nonsense')).stderr).toContain('Ids look like')
    expect((await admin(folder, 'credits', 'grant', '--account', 'x')).code).not.toBe(0)
  })

  test('doctor tries every part', { tags: 'slow' }, async () => {
    const { stdout, code } = await admin(folder, 'doctor', '--json')
    const { checks } = JSON.parse(stdout) as { checks: { ok: boolean; name: string; detail: string }[] }
    expect(checks.filter(({ ok }) => !ok)).toEqual([])
    expect(code).toBe(0)
    for (const name of ['user', 'database', 'ledger', 'sandbox', 'engine pandoc']) {
      expect(checks.map((check) => check.name)).toContain(name)
    }
    for (const engine of ['pandoc', 'libreoffice', 'chromium', 'ffmpeg', 'pdf'])
      expect(checks.find(({ name }) => name === `engine ${engine}`)?.detail).toContain('test document')
  })
})
