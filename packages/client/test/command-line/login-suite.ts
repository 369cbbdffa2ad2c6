import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { baseUrl } from '@kiln/test-support/client-service.ts'
import { describe, expect, test } from 'vitest'
import type { InstalledCli } from '../support/installed-cli.ts'

export function testLogin(cli: InstalledCli): void {
  describe('kiln login', () => {
    const loggedIn = { KILN_API_KEY: '', KILN_URL: '' }
    const file = () => join(cli.folder, '.config/kiln/login.json')

    test('keeps a key that works in a file for this user alone', async () => {
      const ran = await cli.kiln(['login', '--url', baseUrl], { stdin: `${cli.key}\n`, env: loggedIn })
      expect(ran.code, ran.stderr).toBe(0)
      expect(ran.stderr).not.toContain(cli.key)
      expect((await stat(file())).mode & 0o777).toBe(0o600)
      expect((await stat(join(file(), '..'))).mode & 0o777).toBe(0o700)
      expect((await cli.kiln(['usage'], { env: loggedIn })).code).toBe(0)
    })

    test('does not send the kept key to another address', async () => {
      const elsewhere = { ...loggedIn, KILN_URL: 'http://127.0.0.1:1024/api' }
      expect(await cli.kiln(['usage'], { env: elsewhere })).toMatchObject({ code: 3 })
      expect(await cli.kiln(['usage', '--url', `${baseUrl}/`], { env: loggedIn })).toMatchObject({ code: 0 })
    })

    test('does not keep what does not work', async () => {
      const before = await readFile(file(), 'utf8')
      const wrong = await cli.kiln(['login', '--url', baseUrl], { stdin: 'kiln_live_wrong', env: loggedIn })
      expect(wrong.code).toBe(3)
      const place = await cli.kiln(['login', '--url', new URL(baseUrl).origin], {
        stdin: cli.key,
        env: loggedIn,
      })
      expect(place).toMatchObject({ code: 4, stderr: expect.stringMatching(/usually ends with \/api/) })
      expect((await cli.kiln(['login', '--url', baseUrl], { stdin: '', env: loggedIn })).code).toBe(2)
      expect(await readFile(file(), 'utf8')).toBe(before)
    })

    test('the environment goes before the file, and logout forgets', async () => {
      expect(
        (await cli.kiln(['usage'], { env: { ...loggedIn, KILN_API_KEY: 'kiln_live_wrong' } })).code,
      ).toBe(3)
      expect((await cli.kiln(['logout'])).code).toBe(0)
      expect(existsSync(file())).toBe(false)
      expect((await cli.kiln(['usage'], { env: { ...loggedIn, KILN_URL: baseUrl } })).code).toBe(3)
    })
  })
}
