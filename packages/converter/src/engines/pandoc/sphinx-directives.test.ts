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

test.each([
  ['.. versionadded:: 2.0', '.. versionadded:: New in version 2.0'],
  ['.. deprecated:: 3.1 Use x.', '.. deprecated:: Deprecated since version 3.1: Use x.'],
  ['.. versionchanged:: 3.2\n\n   Faster.', '.. versionchanged:: Changed in version 3.2\n\n   Faster.'],
  ['.. seealso:: Other\n    text', '.. admonition:: See also\n\n    Other\n    text'],
  ['.. index:: word\n\nText', '.. index word\n\nText'],
  ['.. only:: html\n\n   Text', '.. container::\n\n   Text'],
  ['.. hlist::\n   * one', '.. container::\n\n   * one'],
  [':orphan:\n\nTitle\n=====', '\nTitle\n====='],
  [
    '.. toctree::\n   :maxdepth: 2\n   :caption: Guide\n\n   intro\n   The API <api/index>\n\nText',
    '   **Guide**\n\n   * intro\n   * The API\n\nText'.replaceAll('   ', ''),
  ],
  ['.. toctree::\n   :hidden:\n\n   intro\n\nText', '\n\nText'],
  ['Text\n\n>>> f(1)\n2\n\nText', 'Text\n\n.. code-block:: python\n\n    >>> f(1)\n    2\n\nText'],
  [
    '-a, --all=X  Show\n             all.\n--long\n    Other.',
    '``-a, --all=X``\n   Show\n   all.\n``--long``\n   Other.',
  ],
  [Buffer.from('-a  Voilà').toString('latin1'), Buffer.from('``-a``\n   Voilà').toString('latin1')],
  ['- item  of a list\n-1', '- item  of a list\n-1'],
])('%j becomes %j', (rst, shown) => expect(shownDirectives(rst)).toBe(shown))

test.each([
  [':ref:`Custom <top>` and :doc:`intro`', 'Custom and intro'],
  [':func:`os.path.join`, :py:class:`~a.B`, :c:macro:`!X`', '``os.path.join()``, ``B``, ``X``'],
  [':rfc:`2822`, :pep:`8`, :file:`/tmp/{x}`', 'RFC 2822, PEP 8, ``/tmp/x``'],
  [':guilabel:`&OK` :menuselection:`File --> Open`', '**OK** **File > Open**'],
  [':term:`a_b` :abbr:`API (Application)`', 'a\\_b API (Application)'],
  [Buffer.from(':ref:`Voilà <x>`').toString('latin1'), Buffer.from('Voilà').toString('latin1')],
  [':ref:`long\n  title <x>`', 'long title'],
  ['x :math:`a` ``:ref:`b```', 'x :math:`a` ``:ref:`b```'],
  ['::\n\n  :ref:`x`', '::\n\n  :ref:`x`'],
  ['.. _a-b:\n\nTitle\n-----\n\n:ref:`A-B`', '.. _a-b:\n\nTitle\n-----\n\nTitle'],
  ['.. _a:\n\n=====\nTitle\n=====\n\n:ref:`a`', '.. _a:\n\n=====\nTitle\n=====\n\nTitle'],
])('the roles in %j are %j', (rst, shown) => expect(shownDirectives(rst)).toBe(shown))

test.each([
  ['roles', ':ref:`'.repeat(100_000)],
  ['literals', '``'.repeat(100_001)],
  ['domains', ':a'.repeat(200_000)],
  ['labels', '.. _a:\n\n'.repeat(50_000)],
  ['options', '-a, '.repeat(100_000)],
  ['entries', `.. toctree::\n\n   ${'<'.repeat(300_000)}`],
  ['spaces', `:ref:\`a${' '.repeat(400)}\` `.repeat(2_000)],
])('many %s take linear time', (_, rst) => {
  const before = process.cpuUsage()
  shownDirectives(rst)
  const { user, system } = process.cpuUsage(before)
  expect(user + system).toBeLessThan(1_500_000)
})
