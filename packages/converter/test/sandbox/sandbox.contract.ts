import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { heldProgram } from '../../src/engines/held-program.ts'
import { removeTree } from '../../src/remove-tree.ts'
import type { Box, BoxResult, Limits, Sandbox } from '../../src/sandbox/sandbox.ts'
import { countProcesses, noneLeft } from './marked-processes.ts'

// What every level must do, shown by tiny programs that misbehave. Each carries a mark in its arguments,
// so that what is left of it can be found among all processes of the machine. All of it holds for a box that is run
// at once, and for one that waited for its document before.

const megabyte = 1024 * 1024

const limits: Limits = {
  wallSeconds: 10,
  cpuSeconds: 5,
  memoryBytes: 256 * megabyte,
  processes: 40,
  fileBytes: 8 * megabyte,
  diskBytes: 24 * megabyte,
  logBytes: 64 * 1024,
}

export function sandboxContract(
  open: () => Promise<Sandbox & { close(): Promise<void> }>,
  manner: 'at once' | 'after a wait',
): void {
  let sandbox: Sandbox & { close(): Promise<void> }
  let job: string
  let mark: string

  beforeAll(async () => {
    sandbox = await open()
  })
  afterAll(() => sandbox.close())
  beforeEach(async () => {
    job = await mkdtemp(join(tmpdir(), 'kiln-contract-'))
    mark = `mark-${job.slice(-6)}`
    await mkdir(join(job, 'in'))
    await mkdir(join(job, 'out'))
    return () => rm(job, { recursive: true, force: true })
  })

  const run = async (
    program: string,
    args: readonly string[],
    rest: Partial<Box> = {},
  ): Promise<BoxResult> => {
    const given = { ...rest, limits: { ...limits, ...rest.limits } }
    const folders = { inFolder: join(job, 'in'), outFolder: join(job, 'out') }
    if (manner === 'at once') return sandbox.run({ program, args, ...folders, ...given })
    const { signal, onStdoutLine, ...known } = given
    // Processor time and the wall clock are told with the document.
    const most = { ...given.limits, cpuSeconds: 100, wallSeconds: 100 }
    const held = { ...heldProgram(basename(program), { ...known, limits: most }), args }
    const box = await sandbox.open(held, folders)
    try {
      await box.ready
      const { cpuSeconds, wallSeconds } = given.limits
      return await box.give({
        ...{ args: [], limits: { cpuSeconds, wallSeconds } },
        ...(signal ? { signal } : {}),
        ...(onStdoutLine ? { onStdoutLine } : {}),
      })
    } finally {
      await box.end()
    }
  }
  const perl = (script: string, rest: Partial<Box> = {}) => run('perl', ['-e', script, mark], rest)
  const shell = (script: string, rest: Partial<Box> = {}) => run('/bin/sh', ['-c', script, mark], rest)

  describe('a program that behaves', () => {
    it('reads /in, writes /out, and its end is reported', async () => {
      await writeFile(join(job, 'in/input'), 'hello')
      const script = 'cat "$1" > copy; echo said; echo complained >&2; exit 7'
      const result = await run('/bin/sh', ['-c', script, mark, '/in/input'])
      expect(result).toMatchObject({ ending: 'exited', exitCode: 7, signal: null })
      expect(result.untrustedStdout).toBe('said\n')
      expect(result.untrustedStderr).toBe('complained\n')
      expect(await readFile(join(job, 'out/copy'), 'utf8')).toBe('hello')
    })

    it('is told of each line as it comes', async () => {
      const lines: string[] = []
      await shell('echo one; echo two; printf three', { onStdoutLine: (line) => lines.push(line) })
      expect(lines).toEqual(['one', 'two', 'three'])
    })

    it('gets a temporary folder of its own', async () => {
      const result = await shell('echo x > "$TMPDIR/file" && cat "$TMPDIR/file"')
      expect(result.untrustedStdout).toBe('x\n')
    })

    it('gets files of Kiln that lie in a closed folder', async () => {
      const closed = await mkdtemp(join(tmpdir(), 'kiln-closed-'))
      await writeFile(join(closed, 'style'), 'styled', { mode: 0o600 })
      const result = await run('/bin/cat', ['/kiln/style'], {
        readOnly: [{ from: join(closed, 'style'), to: '/kiln/style' }],
      })
      expect(result.untrustedStdout).toBe('styled')
      await rm(closed, { recursive: true })
    })

    it('is named when it is not installed', async () => {
      await expect(run('kiln-no-such-program', [])).rejects.toThrow('kiln-no-such-program is not installed')
    })
  })

  describe('a program that does not end', () => {
    it('is killed at the wall limit though it ignores every signal it can', async () => {
      const result = await perl('$SIG{$_} = "IGNORE" for qw(TERM INT HUP QUIT); sleep 1 while 1', {
        limits: { ...limits, wallSeconds: 1 },
      })
      expect(result.ending).toBe('wall-limit')
      expect(result.milliseconds).toBeLessThan(2500)
      await noneLeft(mark)
    })

    it('is killed when it has used its CPU seconds', async () => {
      const result = await perl('1 while 1', { limits: { ...limits, cpuSeconds: 1 } })
      expect(result.ending).toBe('cpu-limit')
      await noneLeft(mark)
    })

    it('is killed when the caller cancels', async () => {
      const cancel = new AbortController()
      const running = perl('print "up\\n"; $| = 1; sleep 60', { signal: cancel.signal })
      setTimeout(() => cancel.abort(), 300)
      expect((await running).ending).toBe('cancelled')
      await noneLeft(mark)
    })

    it('is not even started when the caller has cancelled before', async () => {
      const result = await shell('touch started', { signal: AbortSignal.abort() })
      expect(result.ending).toBe('cancelled')
      expect(await readdir(join(job, 'out'))).toEqual([])
    })
  })

  describe('a program that leaves others behind', () => {
    const daemon = `
      use POSIX; my $leaves = shift;
      unless (fork) { POSIX::setsid(); setpgrp; unless (fork) {
        close STDIN; close STDOUT; close STDERR; $SIG{$_} = "IGNORE" for qw(TERM HUP INT); sleep 60; } exit 0 }
      select undef, undef, undef, 0.3;
      system("touch forked"); if ($leaves) { exit 0 } sleep 60;`

    it('takes them along when it ends', async () => {
      const result = await run('perl', ['-e', daemon, '1', mark])
      expect(result.ending).toBe('exited')
      expect(await readdir(join(job, 'out'))).toContain('forked')
      await noneLeft(mark)
    })

    it('takes them along when it is killed', async () => {
      const result = await run('perl', ['-e', daemon, '0', mark], { limits: { ...limits, wallSeconds: 1 } })
      expect(result.ending).toBe('wall-limit')
      expect(await readdir(join(job, 'out'))).toContain('forked')
      await noneLeft(mark)
    })

    it('cannot fork without end', async () => {
      const bomb = perl('my $n = 0; while (1) { my $p = fork; if (!defined $p) { sleep 30 } }', {
        limits: { ...limits, wallSeconds: 2 },
      })
      await new Promise((resolve) => setTimeout(resolve, 1200))
      const alive = await countProcesses(mark)
      expect(alive).toBeGreaterThan(3)
      // A level that counts per user leaves room that other boxes gave back meanwhile.
      expect(alive).toBeLessThanOrEqual(limits.processes * (manner === 'at once' ? 4 : 8))
      expect((await bomb).ending).toBe('wall-limit')
      await noneLeft(mark)
    })
  })

  describe('a program that wants too much', () => {
    it('may say more than is kept', async () => {
      const result = await perl(
        'print STDOUT "o" x 65536 for 1..800; print STDERR "e" x 65536 for 1..800; exit 3',
      )
      expect(result.exitCode).toBe(3)
      expect(result.untrustedStdout.length).toBe(limits.logBytes)
      expect(result.untrustedStderr.length).toBe(limits.logBytes)
    })

    it('may say it in one line', async () => {
      let longest = 0
      await perl('print "l" x 65536 for 1..200', {
        onStdoutLine: (line) => {
          longest = Math.max(longest, line.length)
        },
      })
      expect(longest).toBeGreaterThan(0)
      expect(longest).toBeLessThanOrEqual(8192)
    })

    it('cannot write one file past its limit', async () => {
      const result = await perl('open F, ">", "big"; while (1) { print F "x" x 65536 or die }')
      expect(result.ending).toBe('disk-limit')
      expect((await stat(join(job, 'out/big'))).size).toBe(limits.fileBytes)
    })

    it('cannot fill the disk with many files', async () => {
      const result = await perl(
        'for my $i (1..100000) { open F, ">", "f$i"; print F "x" x 262144; close F; select undef, undef, undef, 0.001 }',
      )
      expect(result.ending).toBe('disk-limit')
      expect((await readdir(join(job, 'out'))).length * 262144).toBeLessThan(limits.diskBytes * 8)
    })

    it('cannot fill the disk with files that have no name any more', async () => {
      const result = await perl(
        'my @h; for my $i (1..400) { open $h[$i], ">", "f$i"; unlink "f$i"; my $f = $h[$i]; $f->autoflush(1); print $f "x" x 262144; select undef, undef, undef, 0.005 } sleep 20',
      )
      expect(result.ending).toBe('disk-limit')
    })

    it('cannot fill the disk with files whose names are not UTF-8', async () => {
      const result = await perl(
        'mkdir "\\xff"; for my $i (1..400) { open F, ">", "\\xff/\\xfe$i" or die; print F "x" x 262144; close F; select undef, undef, undef, 0.001 } sleep 20',
      )
      expect(result.ending).toBe('disk-limit')
    })

    it('cannot fill the disk below more folders than a path can name', async () => {
      const result = await perl(
        'for (1..40) { mkdir "d" x 200; chdir "d" x 200 } for my $i (1..400) { open F, ">", "f$i"; print F "x" x 262144; close F } sleep 20',
      )
      expect(result.ending).toBe('disk-limit')
      await removeTree(job)
    })

    it('cannot fill the disk from a process that has lost its parent', async () => {
      const result = await perl(
        'if (fork == 0) { if (fork == 0) { select undef, undef, undef, 0.3; my @h; for my $i (1..400) { open $h[$i], ">", "f$i"; unlink "f$i"; $h[$i]->autoflush(1); my $f = $h[$i]; print $f "x" x 262144 } sleep 20 } exit 0 } sleep 20',
      )
      expect(result.ending).toBe('disk-limit')
      expect(result.milliseconds).toBeLessThan(9000)
    })

    it('cannot fill the temporary folder', async () => {
      const result = await perl(
        'my $n = 0; while (1) { $n++; open F, ">", "$ENV{TMPDIR}/f$n" or last; (print F "x" x 1048576) && close F or last } print $n',
      )
      const stopped = result.ending === 'disk-limit' || Number(result.untrustedStdout) <= 25
      expect(stopped).toBe(true)
    })

    it('cannot take more memory than its limit with many processes', async () => {
      const result = await perl('for (1..8) { if (fork == 0) { my $m = "x" x 60000000; sleep 20 } } sleep 20')
      expect(result.ending).toBe('memory-limit')
      await noneLeft(mark)
    })

    it('cannot take more memory than its limit', async () => {
      const result = await perl('my @a; push @a, "x" x 16777216 while 1')
      expect(result.exitCode === 0).toBe(false)
      expect(result.ending === 'exited' || result.ending === 'killed').toBe(true)
      expect(result.milliseconds).toBeLessThan(9000)
    })
  })

  describe('a program that wants out', () => {
    it('cannot follow a link in its input to a file of the host', async () => {
      await writeFile(join(job, 'secret'), 'SECRET', { mode: 0o644 })
      await symlink(join(job, 'secret'), join(job, 'in/input'))
      const result = await run('/bin/cat', ['/in/input'])
      expect(result.exitCode).not.toBe(0)
      expect(result.untrustedStdout).toBe('')
    })

    it('may leave a link, which is not followed while the disk is watched', async () => {
      const result = await shell('ln -s /usr usr; ln -s /etc/hostname output; sleep 0.3')
      expect(result.ending).toBe('exited')
    })

    it('cannot leave a pipe or a device', async () => {
      const result = await shell('mkfifo pipe; mknod null c 1 3; ls')
      expect(result.untrustedStdout).toBe('')
      expect(await readdir(join(job, 'out'))).toEqual([])
    })

    it('cannot kill what holds it, nor anything else', async () => {
      const result = await perl(
        'kill 9, getppid; kill 9, 1; kill 9, $_ for grep { $_ != $$ } 2..400; print "alive"; exit 5',
      )
      expect(result).toMatchObject({ ending: 'exited', exitCode: 5, untrustedStdout: 'alive' })
      const all = await perl('kill 9, -1; sleep 1; exit 6')
      expect(['exited', 'killed']).toContain(all.ending)
      await noneLeft(mark)
    })

    it('finds nothing of the service in its environment', async () => {
      process.env.KILN_CONTRACT_SECRET = 'SECRET'
      const result = await run('/usr/bin/env', [])
      delete process.env.KILN_CONTRACT_SECRET
      expect(result.untrustedStdout).toContain('PATH=')
      expect(result.untrustedStdout).not.toContain('SECRET')
      expect(result.untrustedStdout.split('\n').filter(Boolean).length).toBeLessThanOrEqual(5)
    })

    it('holds no descriptor of the service', async () => {
      const result = await perl(
        'my $null = (stat "/dev/null")[6]; for my $n (3..1023) { open(my $f, "<&=", $n) or next; my @s = stat $f; print "$n " unless @s && $s[6] == $null }',
      )
      expect(result.untrustedStdout).toBe('')
    })
  })
}
