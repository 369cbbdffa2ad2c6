import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { baseUrl, kilnOf, markdown, newKey } from '@kiln/test-support/client-service.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { passwordProtectedWordFile, slowMarkdown } from '../../../e2e/documents.ts'
import { useInstalledCli } from './support/installed-cli.ts'
import { run } from './support/run.ts'

const cli = useInstalledCli()
const read = (name: string) => readFile(join(cli.folder, name), 'utf8')

beforeAll(async () => {
  await writeFile(join(cli.folder, 'report.md'), markdown)
})

describe('kiln convert', () => {
  test('an input to an output, told in lines without a terminal', async () => {
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
    const ran = await cli.kiln(['convert', '*.rst', 'deep/**/*.rst', '--to', 'html', '--out-dir', 'out/html'])
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
    const args = ['convert', 'book.md', 'book.html', '--option', 'toc=true', '-O', 'numberSections=yes', '-q']
    expect(await cli.kiln(args)).toMatchObject({ code: 0, stderr: '' })
    expect(await read('book.html')).toMatch(/<nav id="TOC"[\s\S]*<h2[^>]*><span[^>]*>1\.1</)
    const unknown = await cli.kiln(['convert', 'book.md', 'book.html', '--option', 'colour=red'])
    expect(unknown.stderr).toMatch(/`colour` is no option of md-to-html\. .*`toc`/)
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
    expect(ran.stderr).toMatch(/ s\)\n {2}pandoc \d[^\n]*\n {2}Warning: One picture lies on the web[^\n]*\n$/)
    const told = await cli.kiln(['convert', 'remote.md', 'remote.html', '--report', '--json'])
    const { jobId, report } = JSON.parse(told.stdout) as { jobId: string; report: unknown }
    expect(report).toMatchObject({ jobId, leftOut: [{ what: 'remote-pictures', count: 1 }] })
    const job = await cli.kiln(['job', jobId, '--report'])
    expect(job.stdout).toMatch(/Status +done[\s\S]*\npandoc \d[\s\S]*\nWarning: One picture/)
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

  test('leaves what exists alone with --no-clobber, and replaces it without', async () => {
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
    [4, 'a pair that nobody knows', ['convert', 'report.md', 'report.xyz']],
    [4, 'a pair of the browser', ['convert', 'report.md', '--from', 'png', '--to', 'jpg']],
    [4, 'no such job', ['job', crypto.randomUUID()]],
    [7, 'nobody there', ['usage', '--timeout', '1'], { KILN_URL: 'http://127.0.0.1:1024/api' }],
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

  test('text of strangers cannot steer the terminal', async () => {
    const ran = await cli.kiln(['convert', 'a\u001b[2J\u202e.md', 'b.html'])
    expect(ran.stderr).toContain('a?[2J?.md')
    expect(ran.stderr).not.toContain('\u001b')
  })
})

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
    expect((await cli.kiln(['usage'], { env: { ...loggedIn, KILN_API_KEY: 'kiln_live_wrong' } })).code).toBe(
      3,
    )
    expect((await cli.kiln(['logout'])).code).toBe(0)
    expect(existsSync(file())).toBe(false)
    expect((await cli.kiln(['usage'], { env: { ...loggedIn, KILN_URL: baseUrl } })).code).toBe(3)
  })
})

describe('the program', () => {
  test('starts in under 150 ms, or in less than twice the time of an empty one', async () => {
    const timeOf = async (program: string, args: string[]) => {
      const began = performance.now()
      await run(program, args, { env: cli.env })
      return performance.now() - began
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
    for (const args of [[], ['--help'], ['help']]) expect((await cli.kiln(args)).stdout).toMatch(/Commands:/)
    for (const command of ['convert', 'formats', 'usage', 'job', 'login', 'logout', 'completions']) {
      const ran = await cli.kiln([command, '--help'])
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      expect(ran.stdout).toContain(`kiln ${command}`)
    }
    expect((await cli.kiln(['--version'])).stdout).toBe('0.1.0\n')
    expect((await cli.kiln(['converts'])).stderr).toMatch(/Did you mean "convert"\?/)
  })
})
