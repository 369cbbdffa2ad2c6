import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { admin, isAlive, postgresPid, type ServiceProcess, startService } from './service-process.ts'

let folder: string
let service: ServiceProcess | null = null
const start = async (environment?: Record<string, string>) => {
  service = await startService(folder, environment)
  return service
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-process-'))
})
afterEach(async () => {
  await service?.stop('SIGTERM')
  service = null
  await rm(folder, { recursive: true, force: true })
})
const keyIn = (output: string) => /kiln_live_[0-9A-Za-z]{38}/.exec(output)?.[0]

describe('npm start', () => {
  test('makes a first account, shows its key once, and the three lines convert a file', async () => {
    const { output } = await start()
    await expect.poll(() => keyIn(output())).toBeDefined()
    const lines = output()
      .split('\n')
      .filter((line) => /^(JOB=|curl )/.test(line))
    expect(lines).toHaveLength(3)
    await writeFile(join(folder, 'README.md'), '# Fired clay\n\nSome *text*.\n')
    await promisify(execFile)('sh', ['-ec', lines.join('\n')], { cwd: folder })
    const html = await readFile(join(folder, 'README.html'), 'utf8')
    expect(html).toContain('Fired clay</h1>')
    expect(html).toContain('<em>text</em>')
  })

  test('is up again in under 3 seconds, with the same accounts and no new key', async () => {
    await start()
    await service?.stop('SIGINT')
    const again = await start()
    expect(again.readyAfter).toBeLessThan(3000)
    expect(keyIn(again.output())).toBeUndefined()
    const { stdout } = await admin(folder, 'account', 'list', '--json')
    expect(JSON.parse(stdout).accounts).toHaveLength(1)
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s stops everything, the database too',
    async (signal) => {
      const { stop } = await start()
      const database = await postgresPid(folder)
      expect(database).not.toBeNull()
      expect(await stop(signal)).toBe(0)
      await expect.poll(() => isAlive(database as number)).toBe(false)
    },
  )

  test('after kill -9 the next start takes over, database and data', async () => {
    const first = await start()
    await expect.poll(() => keyIn(first.output())).toBeDefined()
    const key = keyIn(first.output())
    await first.stop('SIGKILL')
    expect(await postgresPid(folder)).not.toBeNull()
    const second = await start()
    const usage = await fetch(`${second.origin}/api/v1/usage`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(usage.status).toBe(200)
  })

  test('refuses to run twice on one folder, and leaves the first one alone', async () => {
    const first = await start()
    await expect(startService(folder)).rejects.toThrow('Another Kiln runs')
    expect((await fetch(`${first.origin}/readyz`)).status).toBe(200)
  })

  test('a port that is taken is said in one sentence, and nothing is left running', async () => {
    const first = await start()
    const other = await mkdtemp(join(tmpdir(), 'kiln-process-'))
    const port = new URL(first.origin).port
    await expect(startService(other, { KILN_PORT: port })).rejects.toThrow('EADDRINUSE')
    expect(await postgresPid(other)).toBeNull()
    await rm(other, { recursive: true, force: true })
  })

  test('faults of the configuration are reported together', async () => {
    await expect(startService(folder, { KILN_PREFIX: 'x', KILN_SLOTS_VIDEO: 'many' })).rejects.toThrow(
      /KILN_PREFIX[\s\S]*KILN_SLOTS_VIDEO/,
    )
  })
})

describe('the admin command line', () => {
  test('works while the service does not run, and leaves no database behind', async () => {
    const made = await admin(folder, 'account', 'create', '--name', 'Ada', '--json')
    expect(made.code).toBe(0)
    const { account, key } = JSON.parse(made.stdout)
    expect(account.name).toBe('Ada')
    expect(keyIn(key.key)).toBe(key.key)
    expect(await postgresPid(folder)).toBeNull()
  })

  test('works while the service runs', async () => {
    const { origin } = await start()
    const { key } = JSON.parse((await admin(folder, 'account', 'create', '--name', 'Ada', '--json')).stdout)
    const usage = await fetch(`${origin}/api/v1/usage`, { headers: { authorization: `Bearer ${key.key}` } })
    expect(usage.status).toBe(200)
    expect((await admin(folder, 'key', 'revoke', key.id)).code).toBe(0)
    const after = await fetch(`${origin}/api/v1/usage`, { headers: { authorization: `Bearer ${key.key}` } })
    expect(after.status).toBe(401)
    expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  })

  test('says what is wrong and what to do, without a stack trace', async () => {
    const missing = await admin(folder, 'key', 'create', '--account', '01234567-89ab-4def-8123-456789abcdef')
    expect(missing.code).toBe(1)
    expect(missing.stderr).toContain('account list')
    expect(missing.stderr).not.toMatch(/\n\s+at /)
    expect((await admin(folder, 'key', 'revoke', 'nonsense')).stderr).toContain('Ids look like')
    expect((await admin(folder, 'credits', 'grant', '--account', 'x')).code).not.toBe(0)
  })

  test('doctor tries every part', async () => {
    const { stdout, code } = await admin(folder, 'doctor', '--json')
    const { checks } = JSON.parse(stdout) as { checks: { ok: boolean; name: string }[] }
    expect(checks.filter(({ ok }) => !ok)).toEqual([])
    expect(code).toBe(0)
    for (const name of ['user', 'database', 'ledger', 'sandbox', 'engine pandoc']) {
      expect(checks.map((check) => check.name)).toContain(name)
    }
  })
})
