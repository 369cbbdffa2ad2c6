// @module-tag slow

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

// Markup that never ends must not take the square of its length: the filter would work for minutes on a file of 200 KB.

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

it('takes no more than in proportion to what it reads, ends or not', () => {
  const { stdout, stderr } = spawnSync(
    'pandoc',
    ['--from', 'markdown', '--to', 'html', '--lua-filter', pathOf('growth.lua')],
    {
      input: 'text',
      encoding: 'utf8',
      env: { ...process.env, KILN_TARGET: 'html', KILN_FILTER: pathOf('../../../src/engines/pandoc/filter') },
    },
  )
  const growth = [...stdout.matchAll(/^(.+): ([\d.]+)$/gm)].map(([, kind, times]) => ({
    kind,
    times: Number(times),
  }))
  expect(growth, stderr).toHaveLength(15)
  // In proportion it would be 16, with the square 256.
  expect(growth.filter(({ times }) => times >= 64)).toEqual([])
})
