import { readFile, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { baseUrl, markdown, newKey, temporaryFolder } from '@kiln/test-support/client-service.ts'
import { repository } from '@kiln/test-support/start-service.ts'
import { expect, test } from 'vitest'
import { run } from './support/run.ts'

// The code of the API reference is taken from the page and run next to a README.md, as a reader would.

async function codeOf(language: string): Promise<string> {
  const html = await (await fetch(`${baseUrl}/docs`)).text()
  const block = new RegExp(`<div data-language="${language}"><div[^>]*><pre[^>]*><code>([^<]*)</code>`, 'g')
  const steps = [...html.matchAll(block)].map(([, code = '']) =>
    code.replace(/&#(\d+);/g, (_entity, number) => String.fromCharCode(number)),
  )
  expect(steps).toHaveLength(3)
  return steps.join('\n')
}

test.each([
  { language: 'curl', program: 'bash', file: 'convert.sh' },
  { language: 'typescript', program: process.execPath, file: 'convert.mts' },
  { language: 'python', program: 'python3', file: 'convert.py' },
])(
  'the three steps of the API reference in $language convert a file',
  async ({ language, program, file }) => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'README.md'), markdown)
    await writeFile(join(folder, file), await codeOf(language))
    await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
    const env = {
      KEY: await newKey(),
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      PYTHONPATH: join(repository, 'clients/python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
    }
    const { code, stderr } = await run(program, [file], { cwd: folder, env })
    expect(code, stderr).toBe(0)
    expect(await readFile(join(folder, 'README.html'), 'utf8')).toContain('<em>leaning</em>')
  },
)
