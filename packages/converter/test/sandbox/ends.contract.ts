import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type ContractSandbox, limits } from './contract-sandbox.ts'
import { countProcesses, noneLeft } from './marked-processes.ts'

export function endsContract(sandbox: ContractSandbox): void {
  describe('a program that behaves', () => {
    it('reads /in, writes /out, and its end is reported', async () => {
      await writeFile(join(sandbox.job, 'in/input'), 'hello')
      const script = 'cat "$1" > copy; echo said; echo complained >&2; exit 7'
      const result = await sandbox.run('/bin/sh', ['-c', script, sandbox.mark, '/in/input'])
      expect(result).toMatchObject({ ending: 'exited', exitCode: 7, signal: null })
      expect(result.untrustedStdout).toBe('said\n')
      expect(result.untrustedStderr).toBe('complained\n')
      expect(await readFile(join(sandbox.job, 'out/copy'), 'utf8')).toBe('hello')
    })

    it('gets each line as it comes', async () => {
      const lines: string[] = []
      await sandbox.shell('echo one; echo two; printf three', { onStdoutLine: (line) => lines.push(line) })
      expect(lines).toEqual(['one', 'two', 'three'])
    })

    it('gets a temporary folder of its own', async () => {
      const result = await sandbox.shell('echo x > "$TMPDIR/file" && cat "$TMPDIR/file"')
      expect(result.untrustedStdout).toBe('x\n')
    })

    it('gets files of Kiln that lie in a closed folder', async () => {
      const closed = await mkdtemp(join(tmpdir(), 'kiln-closed-'))
      await writeFile(join(closed, 'style'), 'styled', { mode: 0o600 })
      const result = await sandbox.run('/bin/cat', ['/kiln/style'], {
        readOnly: [{ from: join(closed, 'style'), to: '/kiln/style' }],
      })
      expect(result.untrustedStdout).toBe('styled')
      await rm(closed, { recursive: true })
    })

    it('is named when it is not installed', async () => {
      await expect(sandbox.run('kiln-no-such-program', [])).rejects.toThrow(
        'kiln-no-such-program is not installed',
      )
    })
  })

  describe('a program that does not end', () => {
    it('is killed at the wall limit though it ignores every signal it can', async () => {
      const result = await sandbox.perl('$SIG{$_} = "IGNORE" for qw(TERM INT HUP QUIT); sleep 1 while 1', {
        limits: { ...limits, wallSeconds: 1 },
      })
      expect(result.ending).toBe('wall-limit')
      expect(result.milliseconds).toBeLessThan(2500)
      await noneLeft(sandbox.mark)
    })

    it('is killed when it has used its CPU seconds', async () => {
      const result = await sandbox.perl('1 while 1', { limits: { ...limits, cpuSeconds: 1 } })
      expect(result.ending).toBe('cpu-limit')
      await noneLeft(sandbox.mark)
    })

    it('is killed when the caller cancels', async () => {
      const cancel = new AbortController()
      const result = await sandbox.perl('$| = 1; print "up\\n"; sleep 60', {
        signal: cancel.signal,
        onStdoutLine: () => cancel.abort(),
      })
      expect(result.ending).toBe('cancelled')
      await noneLeft(sandbox.mark)
    })

    it('is not even started when the caller has cancelled before', async () => {
      const result = await sandbox.shell('touch started', { signal: AbortSignal.abort() })
      expect(result.ending).toBe('cancelled')
      expect(await readdir(join(sandbox.job, 'out'))).toEqual([])
    })
  })

  describe('a program that leaves others behind', () => {
    const daemon = `
      use POSIX; my $leaves = shift;
      unless (fork) { POSIX::setsid(); setpgrp; unless (fork) {
        close STDIN; close STDOUT; close STDERR; $SIG{$_} = "IGNORE" for qw(TERM HUP INT); sleep 60; } exit 0 }
      select undef, undef, undef, 0.3;
      system("touch forked; echo forked"); if ($leaves) { exit 0 } sleep 60;`

    it('takes them along when it ends', async () => {
      const result = await sandbox.run('perl', ['-e', daemon, '1', sandbox.mark])
      expect(result.ending).toBe('exited')
      expect(await readdir(join(sandbox.job, 'out'))).toContain('forked')
      await noneLeft(sandbox.mark)
    })

    it('takes them along when it is killed', async () => {
      const cancel = new AbortController()
      const result = await sandbox.run('perl', ['-e', daemon, '0', sandbox.mark], {
        signal: cancel.signal,
        onStdoutLine: () => cancel.abort(),
      })
      expect(result.ending).toBe('cancelled')
      expect(await readdir(join(sandbox.job, 'out'))).toContain('forked')
      await noneLeft(sandbox.mark)
    })

    it('cannot fork without end', async () => {
      const refused = Promise.withResolvers<void>()
      const cancel = new AbortController()
      const bomb = sandbox.perl(
        '$| = 1; while (1) { my $p = fork; if (!defined $p) { print "refused\\n"; sleep 30 } }',
        { signal: cancel.signal, onStdoutLine: () => refused.resolve() },
      )
      await Promise.race([refused.promise, bomb])
      let peak = 0
      for (let look = 0; look < 20; look++) {
        peak = Math.max(peak, await countProcesses(sandbox.mark))
        await sleep(50)
      }
      cancel.abort()
      expect(peak).toBeGreaterThan(3)
      // A level that counts per user adds room for other sandboxes: 96 processes, or 256 while a sandbox waits.
      expect(peak).toBeLessThanOrEqual(limits.processes * (sandbox.manner === 'at once' ? 4 : 8))
      expect((await bomb).ending).toBe('cancelled')
      await noneLeft(sandbox.mark)
    })
  })
}
