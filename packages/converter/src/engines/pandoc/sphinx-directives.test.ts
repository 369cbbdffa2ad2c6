import { expect, test } from 'vitest'
import { shownDirectives } from './sphinx-directives.ts'

test.each([
  ['.. py:function:: f(x)', '.. py-function:: f(x)'],
  ['  .. c:member:: int *x\n\n     Text.', '  .. c-member:: int *x\n\n     Text.'],
  ['.. class:: Kiln(x)', '.. py-class:: Kiln(x)'],
  ['.. class:: pottery.Kiln\r\n', '.. py-class:: pottery.Kiln\r\n'],
  ['.. class:: kiln\n\n.. method:: bake()', '.. py-class:: kiln\n\n.. method:: bake()'],
  [' .. epigraph:: One\n    two', ' .. epigraph::\n\n    One\n    two'],
  ['.. pull-quote:: One\n\n  Two', '.. pull-quote::\n\n   One\n\n  Two'],
])('the argument of %j is shown', (rst, shown) => expect(shownDirectives(rst)).toBe(shown))

test.each([
  '.. class:: small-print',
  '.. _py:function: https://example.org',
  'Text::\n\n  .. py:function:: f(x)\n\n  .. class:: Kiln(x)',
  '.. code-block:: rst\n\n   .. py:function:: f(x)',
])('%j stays as it is', (rst) => expect(shownDirectives(rst)).toBe(rst))

test('a directive after a literal block is changed', () => {
  expect(shownDirectives('Text::\n\n  x\n\n.. c:type:: T\n')).toBe('Text::\n\n  x\n\n.. c-type:: T\n')
})
