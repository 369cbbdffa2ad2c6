import { execFileSync } from 'node:child_process'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { baseUrl } from '@kiln/test-support/client-service.ts'
import { repository } from '@kiln/test-support/start-service.ts'
import { beforeAll, expect, test } from 'vitest'
import { wordFile } from '../../../e2e/documents.ts'
import { readMp4 } from '../../../e2e/video-files.ts'
import { useInstalledCli } from './support/installed-cli.ts'
import { run } from './support/run.ts'

// Runs the examples of docs/options.md unchanged. (Those in its tables are run by the end-to-end tests.)

const cli = useInstalledCli()
const page = join(repository, 'docs/options.md')

async function snippets(language: string): Promise<string[]> {
  const source = await readFile(page, 'utf8')
  return [...source.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, named]) => named === language)
    .map(([, , text = '']) => text)
}

beforeAll(async () => {
  await writeFile(join(cli.folder, 'report.docx'), wordFile('Words of the report'))
  await copyFile(
    join(repository, 'packages/test-support/src/office/slides.pptx'),
    join(cli.folder, 'slides.pptx'),
  )
  const film = ['-f', 'lavfi', '-i', 'testsrc2=size=160x1000:rate=5:d=1', '-pix_fmt', 'yuv420p', 'film.mov']
  execFileSync('ffmpeg', ['-loglevel', 'error', ...film], { cwd: cli.folder })
})

const made = (name: string) => readFile(join(cli.folder, name))

test('curl and the command lines', { timeout: 120_000, tags: 'slow' }, async () => {
  const commands = (await snippets('sh')).join('\n').replaceAll('npm run', `npm --prefix "$KILN" run -s`)
  const ran = await run('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: cli.folder,
    env: { ...cli.env, KILN: repository },
  })
  expect(ran.code, ran.stderr).toBe(0)
  expect(JSON.parse(ran.stdout.split('\n')[0] ?? '')).toMatchObject({ jobId: expect.any(String) })
  expect((await made('report.pdf')).toString('latin1')).toContain('<pdfaid:part>2</pdfaid:part>')
  expect(readMp4(await made('film.mp4')).height).toBe(720)
  expect((await made('slides.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
})

test('TypeScript', async () => {
  const [text = '', ...others] = await snippets('ts')
  expect(others).toEqual([])
  await writeFile(
    join(cli.folder, 'example.ts'),
    `import { Kiln } from ${JSON.stringify(join(repository, 'packages/client/src/index.ts'))}
     const kiln = new Kiln({ baseUrl: ${JSON.stringify(baseUrl)}, apiKey: ${JSON.stringify(cli.key)} })
     ${text}`,
  )
  const ran = await run(process.execPath, ['example.ts'], { cwd: cli.folder })
  expect(ran.code, ran.stderr).toBe(0)
  expect((await made('report.pdf')).toString('latin1')).toContain('<pdfaid:part>2</pdfaid:part>')
})
