import { join } from 'node:path'
import { kilnOf, markdown } from '@kiln/test-support/client-service.ts'
import { describe, expect, test } from 'vitest'
import type { InstalledCli } from '../support/installed-cli.ts'
import { run } from '../support/run.ts'

export function testOtherCommands(cli: InstalledCli): void {
  describe('kiln formats, usage, job', () => {
    test('list what can be converted', async () => {
      const all = await cli.kiln(['formats'])
      expect(all.stdout).toMatch(/^FROM +TO\n/)
      expect(all.stdout).toMatch(/^docx +.*\bpdf\b/m)
      const some = await cli.kiln(['formats', '--from', 'markdown', '--to', 'html'])
      expect(some.stdout).toMatch(/^FROM +TO +AT MOST +CREDITS +LABEL\nmd +html +50 MB +1 +\S.*\n$/)
      const { pairs } = JSON.parse((await cli.kiln(['formats', '--from', 'docx', '--json'])).stdout)
      expect(pairs.length).toBeGreaterThan(0)
      expect((await cli.kiln(['formats'], { env: { KILN_API_KEY: '' } })).code).toBe(0)
      expect((await cli.kiln(['formats', '--from', 'nothing'])).code).toBe(4)
      expect((await cli.kiln(['formats', 'docx-to-nothing'])).code).toBe(4)
    })

    test('list the options of a pair', async () => {
      const shown = await cli.kiln(['formats', 'docx-to-pdf'])
      expect(shown.stdout).toMatch(/^docx +pdf +/m)
      expect(shown.stdout).toMatch(/^pages +string +\S/m)
      const { pairs, options } = JSON.parse((await cli.kiln(['formats', 'docx-to-pdf', '--json'])).stdout)
      expect(pairs).toHaveLength(1)
      expect(options.properties).toHaveProperty('pages')
      for (const wrong of [['docx'], ['docx-to-pdf', 'x'], ['docx-to-pdf', '--from', 'docx']])
        expect((await cli.kiln(['formats', ...wrong])).code).toBe(2)
    })

    test('show what is left', async () => {
      expect((await cli.kiln(['usage'])).stdout).toMatch(/^Free conversions left +\d+ of 50\nCredits +\d+\n/)
      expect(JSON.parse((await cli.kiln(['usage', '--json'])).stdout)).toEqual(await kilnOf(cli.key).usage())
    })

    test('show a job, wait for it, fetch it', async () => {
      const kiln = kilnOf(cli.key)
      const job = await kiln.submit({ pair: 'md-to-html', bytes: Buffer.byteLength(markdown) })
      expect((await cli.kiln(['job', job.jobId])).stdout).toMatch(/^Job +\S+\nStatus +queued\n$/)
      await kiln.upload(job, Buffer.from(markdown))
      const waited = await cli.kiln(['job', job.jobId, '--wait', '--json'])
      expect(JSON.parse(waited.stdout)).toMatchObject({ jobId: job.jobId, status: 'done' })
      expect((await cli.kiln(['job', job.jobId, '-o', '-', '-q'])).stdout).toMatch(/leaning/)
    })
  })

  test('kiln job --delete ends a job and deletes its files', async () => {
    const kiln = kilnOf(cli.key)
    const { jobId } = await kiln.submit({ pair: 'md-to-html', bytes: 5 })
    const cancelled = await cli.kiln(['job', jobId, '--delete'])
    expect(cancelled).toMatchObject({ code: 6, stdout: expect.stringMatching(/Error +cancelled: /) })
    const done = await kiln.convert(new TextEncoder().encode(markdown), { from: 'md', to: 'html' })
    await done.stream.cancel()
    const deleted = await cli.kiln(['job', done.jobId, '--delete'])
    expect(deleted).toMatchObject({ code: 0, stdout: expect.stringMatching(/Expired at/) })
    await expect(kiln.download(done.jobId)).rejects.toMatchObject({ code: 'output-expired' })
    expect((await cli.kiln(['job', jobId, '--delete', '--output', 'x.html'])).code).toBe(2)
  })

  describe('the program', () => {
    test('starts in under 150 ms of processor time, or in less than twice that of an empty one', async () => {
      // The last line that bash writes is what its children took: "0m0.041s 0m0.012s".
      const timeOf = async (program: string, args: string[]) => {
        const counted = ['-c', '"$@" >/dev/null; times', 'bash', program, ...args]
        const { stdout } = await run('bash', counted, { env: cli.env })
        const children = stdout.trim().split('\n').at(-1) ?? ''
        const took = [...children.matchAll(/(\d+)m([\d.]+)s/g)]
        expect(took).toHaveLength(2)
        return took.reduce(
          (sum, [, minutes, seconds]) => sum + Number(minutes) * 60e3 + Number(seconds) * 1000,
          0,
        )
      }
      let [empty, kiln] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
      // They take turns, so that other work on the machine meets both.
      for (let turn = 0; turn < 7; turn++) {
        empty = Math.min(empty, await timeOf('node', ['-e', '0']))
        kiln = Math.min(kiln, await timeOf(join(cli.bin, 'kiln'), ['--version']))
      }
      // The second half is for a machine on which an empty program alone takes as long.
      expect(kiln).toBeLessThan(Math.max(150, empty * 2))
    })

    test('helps', async () => {
      for (const args of [[], ['--help'], ['help']])
        expect((await cli.kiln(args)).stdout).toMatch(/Commands:/)
      for (const command of ['convert', 'formats', 'usage', 'job', 'login', 'logout', 'completions']) {
        const ran = await cli.kiln([command, '--help'])
        expect(ran).toMatchObject({ code: 0, stderr: '' })
        expect(ran.stdout).toContain(`kiln ${command}`)
      }
      expect((await cli.kiln(['--version'])).stdout).toBe('0.1.0\n')
      expect((await cli.kiln(['converts'])).stderr).toMatch(/Did you mean "convert"\?/)
    })
  })
}
