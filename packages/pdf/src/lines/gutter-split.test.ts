import { expect, it } from 'vitest'
import { splitAtEdges } from './gutter-split.ts'
import { textRunOf } from './test-text-runs.ts'

it('looks beside a letter that is taller than all pages no farther than beside others', () => {
  const tall = { ...textRunOf('A', 72, 100), size: 1e12 }
  expect(splitAtEdges([tall, textRunOf('beside', 20, 100)])).toHaveLength(2)
})
