import { readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ContractSandbox } from './contract-sandbox.ts'
import { noneLeft } from './marked-processes.ts'

export function wantsOutContract(sandbox: ContractSandbox): void {
  describe('a program that wants out', () => {
    it('cannot follow a link in its input to a file of the host', async () => {
      await writeFile(join(sandbox.job, 'secret'), 'SECRET', { mode: 0o644 })
      await symlink(join(sandbox.job, 'secret'), join(sandbox.job, 'in/input'))
      const result = await sandbox.run('/bin/cat', ['/in/input'])
      expect(result.exitCode).not.toBe(0)
      expect(result.untrustedStdout).toBe('')
    })

    it('may leave a link, which is not followed while the disk is watched', async () => {
      const result = await sandbox.shell('ln -s /usr usr; ln -s /etc/hostname output; sleep 0.3')
      expect(result.ending).toBe('exited')
    })

    it('cannot leave a pipe or a device', async () => {
      const result = await sandbox.shell('mkfifo pipe; mknod null c 1 3; ls')
      expect(result.untrustedStdout).toBe('')
      expect(await readdir(join(sandbox.job, 'out'))).toEqual([])
    })

    it('cannot kill what holds it, nor anything else', async () => {
      const result = await sandbox.perl(
        'kill 9, getppid; kill 9, 1; kill 9, $_ for grep { $_ != $$ } 2..400; print "alive"; exit 5',
      )
      expect(result).toMatchObject({ ending: 'exited', exitCode: 5, untrustedStdout: 'alive' })
      const all = await sandbox.perl('kill 9, -1; sleep 1; exit 6')
      expect(['exited', 'killed']).toContain(all.ending)
      await noneLeft(sandbox.mark)
    })

    it('finds nothing of the service in its environment', async () => {
      process.env.KILN_CONTRACT_SECRET = 'SECRET'
      const result = await sandbox.run('/usr/bin/env', [])
      delete process.env.KILN_CONTRACT_SECRET
      expect(result.untrustedStdout).toContain('PATH=')
      expect(result.untrustedStdout).not.toContain('SECRET')
      expect(result.untrustedStdout.split('\n').filter(Boolean).length).toBeLessThanOrEqual(5)
    })

    it('holds no descriptor of the service', async () => {
      const result = await sandbox.perl(
        'my $null = (stat "/dev/null")[6]; for my $n (3..1023) { open(my $f, "<&=", $n) or next; my @s = stat $f; print "$n " unless @s && $s[6] == $null }',
      )
      expect(result.untrustedStdout).toBe('')
    })
  })
}
