import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { removeTree } from '../../src/remove-tree.ts'
import { type ContractSandbox, limits } from './contract-sandbox.ts'
import { noneLeft } from './marked-processes.ts'

export function takesMuchContract(sandbox: ContractSandbox): void {
  describe('a program that wants too much', () => {
    it('may say more than is kept', async () => {
      const result = await sandbox.perl(
        'print STDOUT "o" x 65536 for 1..800; print STDERR "e" x 65536 for 1..800; exit 3',
      )
      expect(result.exitCode).toBe(3)
      expect(result.untrustedStdout.length).toBe(limits.logBytes)
      expect(result.untrustedStderr.length).toBe(limits.logBytes)
    })

    it('may say it in one line', async () => {
      let longest = 0
      await sandbox.perl('print "l" x 65536 for 1..200', {
        onStdoutLine: (line) => {
          longest = Math.max(longest, line.length)
        },
      })
      expect(longest).toBeGreaterThan(0)
      expect(longest).toBeLessThanOrEqual(8192)
    })

    it('cannot write one file past its limit', async () => {
      const result = await sandbox.perl('open F, ">", "big"; while (1) { print F "x" x 65536 or die }')
      expect(result.ending).toBe('disk-limit')
      expect((await stat(join(sandbox.job, 'out/big'))).size).toBe(limits.fileBytes)
    })

    it('cannot fill the disk with many files', async () => {
      const result = await sandbox.perl(
        'for my $i (1..100000) { open F, ">", "f$i"; print F "x" x 262144; close F; select undef, undef, undef, 0.001 }',
      )
      expect(result.ending).toBe('disk-limit')
      expect((await readdir(join(sandbox.job, 'out'))).length * 262144).toBeLessThan(limits.diskBytes * 8)
    })

    it('cannot fill the disk with files that have no name any more', async () => {
      const result = await sandbox.perl(
        'my @h; for my $i (1..400) { open $h[$i], ">", "f$i"; unlink "f$i"; my $f = $h[$i]; $f->autoflush(1); print $f "x" x 262144; select undef, undef, undef, 0.005 } sleep 20',
      )
      expect(result.ending).toBe('disk-limit')
    })

    it('cannot fill the disk with files whose names are not UTF-8', async () => {
      const result = await sandbox.perl(
        'mkdir "\\xff"; for my $i (1..400) { open F, ">", "\\xff/\\xfe$i" or die; print F "x" x 262144; close F; select undef, undef, undef, 0.001 } sleep 20',
      )
      expect(result.ending).toBe('disk-limit')
    })

    it('cannot fill the disk below more folders than a path can name', async () => {
      const result = await sandbox.perl(
        'for (1..40) { mkdir "d" x 200; chdir "d" x 200 } for my $i (1..400) { open F, ">", "f$i"; print F "x" x 262144; close F } sleep 20',
      )
      expect(result.ending).toBe('disk-limit')
      await removeTree(sandbox.job)
    })

    it('cannot fill the disk from a process that has lost its parent', async () => {
      const result = await sandbox.perl(
        'if (fork == 0) { if (fork == 0) { select undef, undef, undef, 0.3; my @h; for my $i (1..400) { open $h[$i], ">", "f$i"; unlink "f$i"; $h[$i]->autoflush(1); my $f = $h[$i]; print $f "x" x 262144 } sleep 20 } exit 0 } sleep 20',
      )
      expect(result.ending).toBe('disk-limit')
      expect(result.milliseconds).toBeLessThan(9000)
    })

    it('cannot fill the temporary folder', async () => {
      const result = await sandbox.perl(
        'my $n = 0; while (1) { $n++; open F, ">", "$ENV{TMPDIR}/f$n" or last; (print F "x" x 1048576) && close F or last } print $n',
      )
      const stopped = result.ending === 'disk-limit' || Number(result.untrustedStdout) <= 25
      expect(stopped).toBe(true)
    })

    it('cannot take more memory than its limit with many processes', async () => {
      const result = await sandbox.perl(
        'for (1..8) { if (fork == 0) { my $m = "x" x 60000000; sleep 20 } } sleep 20',
      )
      expect(result.ending).toBe('memory-limit')
      await noneLeft(sandbox.mark)
    })

    it('cannot take more memory than its limit', async () => {
      const result = await sandbox.perl('my @a; push @a, "x" x 16777216 while 1')
      expect(result.exitCode === 0).toBe(false)
      expect(result.ending === 'exited' || result.ending === 'killed').toBe(true)
      expect(result.milliseconds).toBeLessThan(9000)
    })
  })
}
