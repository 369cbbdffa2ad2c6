import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kilnOf, newKey } from '@kiln/test-support/client-service.ts'
import { describe, expect, test } from 'vitest'
import { passwordProtectedWordFile } from '../../../../e2e/documents.ts'
import type { InstalledCli } from '../support/installed-cli.ts'

export function testExitCodes(cli: InstalledCli): void {
  describe('exit codes', () => {
    const cases: [number, string, string[], Record<string, string>?][] = [
      [2, 'no such command', ['transmute']],
      [2, 'no such option', ['convert', 'report.md', 'a.html', '--fast']],
      [2, 'nothing to convert', ['convert']],
      [2, 'two inputs that would become one', ['convert', 'report.md', './report.md', '--to', 'html']],
      [2, 'no file that fits', ['convert', '*.xyz', '--to', 'pdf']],
      [2, 'stdin of no format', ['convert', '-', '--to', 'pdf']],
      [2, 'a number that is none', ['convert', 'report.md', '--to', 'html', '--jobs', 'many']],
      [3, 'a wrong key', ['usage'], { KILN_API_KEY: 'kiln_live_wrong' }],
      [3, 'no key', ['usage'], { KILN_API_KEY: '' }],
      [4, 'an unknown pair', ['convert', 'report.md', 'report.xyz']],
      [4, 'a pair of the browser', ['convert', 'report.md', '--from', 'png', '--to', 'jpg']],
      [4, 'no such job', ['job', crypto.randomUUID()]],
      [7, 'no server', ['usage', '--timeout', '1'], { KILN_URL: 'http://127.0.0.1:1024/api' }],
      [8, 'no time', ['convert', 'report.md', 'late.html', '--timeout', '0.001']],
      [9, 'no such file', ['convert', 'nowhere.md', 'nowhere.html']],
      [9, 'no place to write', ['convert', 'report.md', 'no/such/folder.html']],
    ]
    test.each(cases)('%i: %s', async (code, _why, args, env = {}) => {
      const ran = await cli.kiln(args, { env })
      expect(ran.stderr).toMatch(/^\S.*\n$/)
      expect(ran).toMatchObject({ code, stdout: '' })
    })

    test('5: credits are needed; 6: the conversion failed; 1: different reasons', async () => {
      const key = await newKey(0)
      const poor = kilnOf(key)
      for (let free = 0; free < 50; free++) await poor.submit({ pair: 'md-to-html', bytes: 1 })
      const env = { KILN_API_KEY: key }
      expect((await cli.kiln(['convert', 'report.md', 'a.html'], { env })).code).toBe(5)
      await writeFile(join(cli.folder, 'locked.docx'), passwordProtectedWordFile())
      expect((await cli.kiln(['convert', 'locked.docx', 'locked.pdf'])).code).toBe(6)
      const mixed = await cli.kiln([
        'convert',
        'locked.docx',
        'nowhere.md',
        '--to',
        'pdf',
        '--out-dir',
        'mixed',
      ])
      expect(mixed.code).toBe(1)
      expect(mixed.stderr).toMatch(/2 of 2 files were not converted\.\n$/)
    })

    test('are all in the help', async () => {
      const { stdout } = await cli.kiln(['--help'])
      for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 130])
        expect(stdout).toMatch(new RegExp(`^  ${code} +\\w`, 'm'))
    })

    test('errors are JSON too when asked for', async () => {
      const ran = await cli.kiln(['job', crypto.randomUUID(), '--json'])
      expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: 'not-found', status: 404 } })
      expect(ran).toMatchObject({ code: 4, stderr: '' })
    })

    test('control characters in untrusted text do not reach the terminal', async () => {
      const ran = await cli.kiln(['convert', 'a\u001b[2J\u202e.md', 'b.html'])
      expect(ran.stderr).toContain('a?[2J?.md')
      expect(ran.stderr).not.toContain('\u001b')
    })
  })
}
