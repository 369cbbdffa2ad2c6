import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markdown } from '@kiln/test-support/client-service.ts'
import { describe, expect, test } from 'vitest'
import { passwordProtectedWordFile, slowMarkdown } from '../../../../e2e/documents.ts'
import type { InstalledCli } from '../support/installed-cli.ts'
import { run } from '../support/run.ts'

export function testConvert(cli: InstalledCli): void {
  const read = (name: string) => readFile(join(cli.folder, name), 'utf8')

  describe('kiln convert', () => {
    test('an input to an output, reported in lines without a terminal', async () => {
      const ran = await cli.kiln(['convert', 'report.md', 'report.html'])
      expect(ran).toMatchObject({ code: 0, stdout: '' })
      expect(ran.stderr).toMatch(/^report\.md: uploading 47 B\n/)
      expect(ran.stderr).toMatch(/report\.md -> report\.html \(\d[^)]+B, \d\.\d s\)\n$/)
      expect(await read('report.html')).toMatch(/<em>leaning<\/em>/)
    })

    test('many files at once, and patterns that the shell left alone, into a folder', async () => {
      for (const name of ['one', 'two', 'three'])
        await writeFile(join(cli.folder, `${name}.rst`), '*leaning*\n')
      await mkdir(join(cli.folder, 'deep/er'), { recursive: true })
      await writeFile(join(cli.folder, 'deep/er/four.rst'), '*leaning*\n')
      const ran = await cli.kiln([
        'convert',
        '*.rst',
        'deep/**/*.rst',
        '--to',
        'html',
        '--out-dir',
        'out/html',
      ])
      expect(ran.code, ran.stderr).toBe(0)
      expect((await readdir(join(cli.folder, 'out/html'))).sort()).toEqual([
        'four.html',
        'one.html',
        'three.html',
        'two.html',
      ])
      expect(await read('out/html/four.html')).toMatch(/leaning/)
    })

    test('beside the input, with only a target', async () => {
      expect((await cli.kiln(['convert', 'report.md', '--to', 'latex', '-q'])).stderr).toBe('')
      expect(await read('report.tex')).toMatch(/\\emph\{leaning\}/)
    })

    test('an archive of several outputs is named as one', async () => {
      await writeFile(join(cli.folder, 'page.html'), '<p>Words</p>')
      await writeFile(join(cli.folder, 'page.md'), 'mine')
      const ran = await cli.kiln(['convert', 'page.html', '-t', 'md', '-O', 'pictures=beside', '--json'])
      expect(JSON.parse(ran.stdout)).toMatchObject({ output: 'page.zip', error: null })
      expect(await read('page.zip')).toMatch(/^PK/)
      expect(await read('page.md')).toBe('mine')
    })

    test('stdin to stdout, and either alone', async () => {
      const filter = await cli.kiln(['convert', '-', '--from', 'md', '--to', 'html'], { stdin: markdown })
      expect(filter.code, filter.stderr).toBe(0)
      expect(filter.stdout).toMatch(/<em>leaning<\/em>/)
      const both = await cli.kiln(['convert', '-', '-', '-f', 'md', '-t', 'rst', '-q'], { stdin: markdown })
      expect(both).toMatchObject({ code: 0, stderr: '' })
      expect(both.stdout).toMatch(/\*leaning\*/)
      expect((await cli.kiln(['convert', 'report.md', '-', '--to', 'rst'])).stdout).toMatch(/\*leaning\*/)
      await cli.kiln(['convert', '-', 'piped.html', '--from', 'md'], { stdin: markdown })
      expect(await read('piped.html')).toMatch(/leaning/)
    })

    test('a reader of stdout that goes away is no crash', async () => {
      const ran = await run('sh', ['-c', 'kiln convert report.md - --to html -q | head -c 10'], {
        cwd: cli.folder,
        env: cli.env,
      })
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      expect(ran.stdout.length).toBe(10)
    })

    test('with --option: numbers, switches and lists by the schema of the pair, and completion of their names', async () => {
      await writeFile(join(cli.folder, 'book.md'), '# One\n\n## Two\n')
      const args = [
        'convert',
        'book.md',
        'book.html',
        '--option',
        'toc=true',
        '-O',
        'numberSections=yes',
        '-q',
      ]
      expect(await cli.kiln(args)).toMatchObject({ code: 0, stderr: '' })
      expect(await read('book.html')).toMatch(/<nav id="TOC"[\s\S]*<h2[^>]*><span[^>]*>1\.1</)
      const unknown = await cli.kiln(['convert', 'book.md', 'book.html', '--option', 'colour=red'])
      expect(unknown.stderr).toMatch(/`colour` is not an option of md-to-html\. .*`toc`/)
      const wrong = await cli.kiln(['convert', 'book.md', 'book.html', '--option', 'toc=maybe'])
      expect(wrong.stderr).toMatch(/The option `toc` must be true or false\./)
      for (const bad of [
        ['--option', 'toc'],
        ['-O', '=x'],
        ['-O', 'toc=true', '-O', 'toc=no'],
      ])
        expect(await cli.kiln(['convert', 'book.md', 'book.html', ...bad])).toMatchObject({ code: 2 })
      const words = await cli.kiln(['__options', 'convert', 'book.md', 'book.html'])
      expect(words.stdout.split('\n')).toEqual(expect.arrayContaining(['toc=', 'markdown=', 'pictures=']))
    })

    test('with --report: what was replaced and left out, also of a job afterwards', async () => {
      await writeFile(join(cli.folder, 'remote.md'), '# One\n\n![logo](https://example.com/a.png)\n')
      const ran = await cli.kiln(['convert', 'remote.md', 'remote.html', '--report'])
      expect(ran.code, ran.stderr).toBe(0)
      expect(ran.stderr).toMatch(
        / s\)\n {2}pandoc \d[^\n]*\n {2}Warning: One remote picture was not loaded[^\n]*\n$/,
      )
      const answer = await cli.kiln(['convert', 'remote.md', 'remote.html', '--report', '--json'])
      const { jobId, report } = JSON.parse(answer.stdout) as { jobId: string; report: unknown }
      expect(report).toMatchObject({ jobId, leftOut: [{ what: 'remote-pictures', count: 1 }] })
      const job = await cli.kiln(['job', jobId, '--report'])
      expect(job.stdout).toMatch(/Status +done[\s\S]*\npandoc \d[\s\S]*\nWarning: One remote picture/)
      await writeFile(join(cli.folder, 'locked.docx'), passwordProtectedWordFile())
      const failed = await cli.kiln(['convert', 'locked.docx', 'locked.pdf', '--report'])
      expect(failed.code).toBe(6)
      expect(failed.stderr).toMatch(/locked\.docx: password-protected: [^\n]*\n {2}libreoffice, [^\n]*\n$/)
    })

    test('as JSON, a line per file', async () => {
      await writeFile(join(cli.folder, 'bad.docx'), passwordProtectedWordFile())
      const ran = await cli.kiln([
        'convert',
        'report.md',
        'bad.docx',
        '--to',
        'pdf',
        '--out-dir',
        'json',
        '--json',
      ])
      expect(ran.code).toBe(6)
      const lines = ran.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
      expect(lines.find(({ input }) => input === 'report.md')).toEqual({
        input: 'report.md',
        output: 'json/report.pdf',
        to: 'pdf',
        jobId: expect.any(String),
        bytes: expect.any(Number),
        seconds: expect.any(Number),
        error: null,
      })
      expect(lines.find(({ input }) => input === 'bad.docx')).toEqual({
        input: 'bad.docx',
        output: null,
        error: {
          code: 'conversion-failed',
          message: expect.stringMatching(/^password-protected: /),
          status: null,
          requestId: null,
          retryAfter: null,
          jobId: expect.any(String),
        },
      })
      expect(await readdir(join(cli.folder, 'json'))).toEqual(['report.pdf'])
    })

    test('does not overwrite with --no-clobber, and does without', async () => {
      await writeFile(join(cli.folder, 'kept.html'), 'mine')
      const ran = await cli.kiln(['convert', 'report.md', 'kept.html', '--no-clobber'])
      expect(ran).toMatchObject({ code: 9, stderr: expect.stringContaining('it exists already') })
      expect(await read('kept.html')).toBe('mine')
      expect((await cli.kiln(['convert', 'report.md', 'kept.html'])).code).toBe(0)
      expect(await read('kept.html')).not.toBe('mine')
    })

    test('Ctrl-C ends it with 130, no output, and how to go on', async () => {
      await writeFile(join(cli.folder, 'slow.md'), slowMarkdown(2500))
      const ran = await cli.kiln(['convert', 'slow.md', 'slow.docx'], {
        onStart(child) {
          child.stderr?.on('data', (text) => {
            if (/converting|waiting/.test(String(text))) child.kill('SIGINT')
          })
        },
      })
      expect(ran.code).toBe(130)
      expect(existsSync(join(cli.folder, 'slow.docx'))).toBe(false)
      expect((await readdir(cli.folder)).filter((name) => name.endsWith('.part'))).toEqual([])
      const id = /kiln job (\S+) --output/.exec(ran.stderr)?.[1] ?? ''
      const resumed = await cli.kiln(['job', id, '--output', 'slow.docx'])
      expect(resumed.code, resumed.stderr).toBe(0)
      expect((await stat(join(cli.folder, 'slow.docx'))).size).toBeGreaterThan(10_000)
    })
  })
}
