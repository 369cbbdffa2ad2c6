import { describe, expect, it } from 'vitest'
import type { ContractSandbox } from './contract-sandbox.ts'

/** Computes for this many seconds of CPU time. */
const compute = (seconds: number) =>
  `do { $_++ for my @a = 1..20000; @t = times } until $t[0] + $t[1] > ${seconds}`
// The sandbox itself, the start of Perl and the kernel's clock ticks add something. A program that waited for its
// document counts its start, the meter does not.
const tolerance = 0.25

export function cpuTimeContract(sandbox: ContractSandbox): void {
  describe('the CPU time of a program', () => {
    const expectSeconds = (found: number, expected: number) => {
      expect(found).toBeGreaterThan(expected - tolerance)
      expect(found).toBeLessThan(expected + tolerance)
    }

    it('is not the time for which it waits', async () => {
      expectSeconds((await sandbox.perl('select undef, undef, undef, 1.5')).cpuSeconds, 0)
    })

    it('is measured, whatever its exit status', async () => {
      expectSeconds((await sandbox.perl(`${compute(0.5)}; exit 3`)).cpuSeconds, 0.5)
    })

    it('includes that of its children, also of those that ended before', async () => {
      const child = `if (fork == 0) { ${compute(0.3)}; exit 0 } wait;`
      expectSeconds((await sandbox.perl(`${child} ${child}`)).cpuSeconds, 0.6)
    })

    it('is measured for each of several that run and end together', async () => {
      const [one, two] = await Promise.all([sandbox.perl(compute(0.3)), sandbox.perl(compute(0.9))])
      expectSeconds(one.cpuSeconds, 0.3)
      expectSeconds(two.cpuSeconds, 0.9)
    })

    it('is measured if it is cancelled, children included', async () => {
      const controller = new AbortController()
      const child = `if (fork == 0) { ${compute(0.5)}; exit 0 } wait;`
      const result = await sandbox.perl(`$| = 1; ${child} print "computed\\n"; sleep 60`, {
        signal: controller.signal,
        onStdoutLine: () => controller.abort(),
      })
      expect(result.ending).toBe('cancelled')
      expectSeconds(result.cpuSeconds, 0.5)
    })
  })
}
