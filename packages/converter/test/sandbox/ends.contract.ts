import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type ContractBox, limits } from './contract-sandbox.ts'
import { countProcesses, noneLeft } from './marked-processes.ts'

export function endsContract(box: ContractBox): void {
  describe('a program that behaves', () => {
    it('reads /in, writes /out, and its end is reported', async () => {
      await writeFile(join(box.job, 'in/input'), 'hello')
      const script = 'cat "$1" > copy; echo said; echo complained >&2; exit 7'
      const result = await box.run('/bin/sh', ['-c', script, box.mark, '/in/input'])
      expect(result).toMatchObject({ ending: 'exited', exitCode: 7, signal: null })
      expect(result.untrustedStdout).toBe('said\n')
      expect(result.untrustedStderr).toBe('complained\n')
      expect(await readFile(join(box.job, 'out/copy'), 'utf8')).toBe('hello')
    })

    it('gets each line as it comes', async () => {
      const lines: string[] = []
      await box.shell('echo one; echo two; printf three', { onStdoutLine: (line) => lines.push(line) })
      expect(lines).toEqual(['one', 'two', 'three'])
    })

    it('gets a temporary folder of its own', async () => {
      const result = await box.shell('echo x > "$TMPDIR/file" && cat "$TMPDIR/file"')
      expect(result.untrustedStdout).toBe('x\n')
    })

    it('gets files of Kiln that lie in a closed folder', async () => {
      const closed = await mkdtemp(join(tmpdir(), 'kiln-closed-'))
      await writeFile(join(closed, 'style'), 'styled', { mode: 0o600 })
      const result = await box.run('/bin/cat', ['/kiln/style'], {
        readOnly: [{ from: join(closed, 'style'), to: '/kiln/style' }],
      })
      expect(result.untrustedStdout).toBe('styled')
      await rm(closed, { recursive: true })
    })

    it('is named when it is not installed', async () => {
      await expect(box.run('kiln-no-such-program', [])).rejects.toThrow(
        'kiln-no-such-program is not installed',
      )
    })
  })

  describe('a program that does not end', () => {
    it('is killed at the wall limit though it ignores every signal it can', async () => {
      const result = await box.perl('$SIG{$_} = "IGNORE" for qw(TERM INT HUP QUIT); sleep 1 while 1', {
        limits: { ...limits, wallSeconds: 1 },
      })
      expect(result.ending).toBe('wall-limit')
      expect(result.milliseconds).toBeLessThan(2500)
      await noneLeft(box.mark)
    })

    it('is killed when it has used its CPU seconds', async () => {
      const result = await box.perl('1 while 1', { limits: { ...limits, cpuSeconds: 1 } })
      expect(result.ending).toBe('cpu-limit')
      await noneLeft(box.mark)
    })

    it('is killed when the caller cancels', async () => {
      const cancel = new AbortController()
      const result = await box.perl('$| = 1; print "up\\n"; sleep 60', {
        signal: cancel.signal,
        onStdoutLine: () => cancel.abort(),
      })
      expect(result.ending).toBe('cancelled')
      await noneLeft(box.mark)
    })

    it('is not even started when the caller has cancelled before', async () => {
      const result = await box.shell('touch started', { signal: AbortSignal.abort() })
      expect(result.ending).toBe('cancelled')
      expect(await readdir(join(box.job, 'out'))).toEqual([])
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
      const result = await box.run('perl', ['-e', daemon, '1', box.mark])
      expect(result.ending).toBe('exited')
      expect(await readdir(join(box.job, 'out'))).toContain('forked')
      await noneLeft(box.mark)
    })

    it('takes them along when it is killed', async () => {
      const cancel = new AbortController()
      const result = await box.run('perl', ['-e', daemon, '0', box.mark], {
        signal: cancel.signal,
        onStdoutLine: () => cancel.abort(),
      })
      expect(result.ending).toBe('cancelled')
      expect(await readdir(join(box.job, 'out'))).toContain('forked')
      await noneLeft(box.mark)
    })

    it('cannot fork without end', async () => {
      const refused = Promise.withResolvers<void>()
      const cancel = new AbortController()
      const bomb = box.perl(
        '$| = 1; while (1) { my $p = fork; if (!defined $p) { print "refused\\n"; sleep 30 } }',
        { signal: cancel.signal, onStdoutLine: () => refused.resolve() },
      )
      await Promise.race([refused.promise, bomb])
      let peak = 0
      for (let look = 0; look < 20; look++) {
        peak = Math.max(peak, await countProcesses(box.mark))
        await sleep(50)
      }
      cancel.abort()
      expect(peak).toBeGreaterThan(3)
      // A level that counts per user adds room for other sandboxes: 96 processes, or 256 while a sandbox waits.
      expect(peak).toBeLessThanOrEqual(limits.processes * (box.manner === 'at once' ? 4 : 8))
      expect((await bomb).ending).toBe('cancelled')
      await noneLeft(box.mark)
    })
  })
}
