import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { findViolations, importsIn, type SourceFile } from './find-violations.ts'
import { doors, units } from './import-table.ts'

const repository = fileURLToPath(new URL('../../../..', import.meta.url))

function sourcesUnder(folder: string): SourceFile[] {
  return readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => join(folder, name))
    .map((path) => ({ path, text: readFileSync(join(repository, path), 'utf8') }))
}

test('the code keeps to the tables', () => {
  const packages = ['server', 'converter', 'contract', 'pdf', 'client', 'mcp', 'console', 'test-support']
  const folders = [...packages.map((name) => `packages/${name}/src`), 'e2e']
  const files = folders.flatMap(sourcesUnder)
  expect(files.length).toBeGreaterThan(50)
  expect(findViolations(files)).toEqual([])
})

test('every unit that a row names exists', () => {
  for (const unit of Object.values(units)) {
    for (const name of unit.mayImport)
      expect([...Object.keys(units), ...Object.values(doors)]).toContain(name)
  }
})

test('no two units import each other', () => {
  for (const [name, unit] of Object.entries(units)) {
    for (const other of unit.mayImport)
      expect(units[other]?.mayImport ?? [], `${name} and ${other}`).not.toContain(name)
  }
})

describe('a breach is found', () => {
  const breaches: [path: string, text: string, complaint: RegExp][] = [
    ['accounts/x.ts', "import { app } from '../http/app.ts'", /accounts may not import http/],
    [
      'conversions/x.ts',
      "import { open } from '../storage/local/local-storage.ts'",
      /may not import storage\/local/,
    ],
    [
      'conversions/x.ts',
      "import { run } from '../../../converter/src/engines/pandoc/engine.ts'",
      /may not import packages\/converter/,
    ],
    ['http/x.ts', "import { openConverter } from '@kiln/converter'", /http may not import @converter/],
    [
      'main-all.ts',
      "import { launch } from '../../converter/src/sandbox/launch.ts'",
      /may not import packages\/converter/,
    ],
    [
      'storage/s3/x.ts',
      "import type { A } from '../local/local-storage.ts'",
      /may not import storage\/local/,
    ],
    ['http/x.ts', "import { main } from '../main-all.ts'", /may not import wiring/],
    ['http/x.ts', "import { startApi } from '../wiring/start-api.ts'", /may not import wiring/],
    ['http/x.ts', "import type { Database } from '../db/connect.ts'", /http may not import db/],
    ['http/x.ts', "export { a } from '../../../contract/src/errors.ts'", /may not import packages\/contract/],
    ['misc/x.ts', '', /belongs to no unit/],
    ['http/x.ts', 'const port = process.env.PORT', /process\.env/],
    ['http/x.ts', "import { env } from 'node:process'", /process\.env/],
    ['http/x.ts', "import { spawn } from 'node:child_process'", /starts processes/],
    ['http/x.ts', "await database.query('select * from jobs')", /SQL is written/],
    ['admin/x.ts', 'await sql`delete from jobs`', /SQL is written/],
    ['queue/x.ts', "import pg from 'pg'", /database drivers/],
  ]
  test.each(breaches)('%s: %s', (path, text, complaint) => {
    expect(findViolations([{ path: `packages/server/src/${path}`, text }]).join('\n')).toMatch(complaint)
  })

  test.each([
    [
      'packages/converter/src/engines/pandoc/x.ts',
      "import { a } from '../ffmpeg/plan.ts'",
      /may not import engines\/ffmpeg/,
    ],
    [
      'packages/converter/src/engines/pandoc/x.ts',
      "import { box } from '../../sandbox/bubblewrap.ts'",
      /may not import sandbox\/levels/,
    ],
    [
      'packages/converter/src/checks/x.ts',
      "const a = await import('../../../server/src/db/jobs.ts')",
      /may not import packages\/server/,
    ],
    ['packages/converter/src/checks/x.ts', "import { a } from '@kiln/server'", /knows no job/],
    ['packages/converter/src/open-converter.ts', "import pg from 'pg'", /knows no job/],
    [
      'packages/converter/src/engines/pandoc/x.ts',
      "import { spawn } from 'node:child_process'",
      /in sandbox/,
    ],
    ['packages/converter/src/catalog/x.ts', 'const a = process.env.HOME', /reads no environment/],
    ['packages/contract/src/x.ts', "import { z } from 'zod'", /contract imports nothing/],
    ['e2e/x.ts', "import { readConfig } from '../packages/server/src/config.ts'", /from the outside/],
    ['e2e/x.ts', "import { a } from '@kiln/server'", /from the outside/],
    ['packages/pdf/src/x.ts', "import { a } from '@kiln/contract'", /program of its own/],
    ['packages/server/src/http/x.ts', "import { Kiln } from '@kiln/client'", /mounted in one file/],
    ['packages/client/src/cli/x.ts', "import { a } from 'commander'", /the platform alone/],
    ['packages/client/src/x.ts', "import { open } from 'node:fs'", /loads in a browser/],
    ['packages/mcp/src/x.ts', "import { a } from '@kiln/contract'", /through the client only/],
    ['packages/pdf/src/x.ts', "import { a } from '../../../tools/evidence/flow.ts'", /does not import tools/],
    ['packages/test-support/src/x.ts', "import { a } from '@kiln/tools/x.ts'", /does not import tools/],
  ])('%s: %s', (path, text, complaint) => {
    expect(findViolations([{ path, text }]).join('\n')).toMatch(complaint)
  })
})

test('what is allowed is left alone', () => {
  const allowed: SourceFile[] = [
    { path: 'packages/server/src/http/a.ts', text: "import { submit } from '../conversions/submit.ts'" },
    {
      path: 'packages/server/src/main-all.ts',
      text: "import { open } from './storage/local/local-storage.ts'",
    },
    {
      path: 'packages/server/src/http/b.ts',
      text: "// process.env is read elsewhere\nconst a = 'http://x//y'",
    },
    { path: 'packages/server/src/http/c.ts', text: "log.info('update of the rate limit is late')" },
    { path: 'packages/server/src/db/x.test.ts', text: "import { app } from '../http/app.ts'" },
    { path: 'e2e/start.ts', text: "spawn(process.execPath, ['packages/server/src/main-all.ts'])" },
  ]
  expect(findViolations(allowed)).toEqual([])
})

test('imports over several lines, of types, for effect and at run time are all seen', () => {
  const text =
    "import {\n  a,\n  b,\n} from './a.ts'\nimport type { C } from './c.ts'\nimport './d.ts'\nimport('./e.ts')"
  expect(importsIn(text)).toEqual(['./a.ts', './c.ts', './d.ts', './e.ts'])
})
