import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { pathIn, read, unknownSettings } from './repository.ts'

describe('the systemd units', () => {
  const folders: string[] = []
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))
  const names = readdirSync(pathIn('deploy/systemd'))

  test.each(names)('%s is well formed and names settings that there are', (name) => {
    const lines = read(`deploy/systemd/${name}`).split('\n')
    for (const line of lines) expect(line).toMatch(/^(#.*|\[(Unit|Service|Install)\]|[A-Z][A-Za-z]+=.*|)$/)
    const given = lines.flatMap((line) => /^Environment=(\w+)=/.exec(line)?.[1] ?? [])
    expect(unknownSettings(given.filter((setting) => setting !== 'LANES'))).toEqual([])
  })

  test('systemd has nothing to say against them, where it is installed', async () => {
    if (!existsSync('/usr/bin/systemd-analyze')) return
    const folder = await mkdtemp(join(tmpdir(), 'kiln-units-'))
    folders.push(folder)
    for (const name of names) {
      // The operator installs the program at a path that does not exist here.
      const unit = read(`deploy/systemd/${name}`).replaceAll('/opt/kiln/node_modules/.bin/node', '/bin/true')
      await writeFile(join(folder, name), unit)
    }
    const paths = names.map((name) => join(folder, name))
    const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', '--man=no', ...paths])
    expect(stderr).toBe('')
  })
})
