import type { Random } from '@kiln/test-support/random.ts'
import { below, type Mutation } from './generic.ts'

// Lines and marks of text formats, and the headers of MIME messages.

const withLines =
  (change: (lines: string[], random: Random) => string[]): Mutation =>
  (file, random) =>
    Buffer.from(change(file.toString('latin1').split('\n'), random).join('\n'), 'latin1')

const marks = [
  '[',
  '![',
  '](',
  '> ',
  '- ',
  '# ',
  '```',
  '~~~',
  '|',
  '$$',
  '*',
  '_',
  '<div>',
  '\\begin{',
  '\\def\\a{\\a\\a}',
  '.. include:: /etc/passwd',
  '{',
  '}',
  '{\\rtf1',
  '\\bin99999 ',
  '\\u-1?',
  '"',
  ';',
  '=',
  '\t',
  '\u0000',
  '&#x110000;',
  '---',
]

const repeatMark = withLines((lines, random) => {
  const at = below(random, lines.length)
  return lines.toSpliced(at, 0, random.pick(marks).repeat(random.pick([1, 40, 2000])))
})

const shuffleLines = withLines((lines, random) => {
  const at = below(random, lines.length)
  return [...lines.slice(at), ...lines.slice(0, at)]
})

const dropLine = withLines((lines, random) => lines.toSpliced(below(random, lines.length), 1))

export const textMutations: readonly Mutation[] = [repeatMark, shuffleLines, dropLine]

const oddHeaders = [
  'Content-Type: multipart/mixed; boundary=""',
  'Content-Type: multipart/mixed; boundary="x"',
  'Content-Type: text/html; charset=utf-99',
  'Content-Type: text/plain; charset=utf-7',
  'Content-Type: message/rfc822',
  'Content-Transfer-Encoding: base64',
  'Content-Transfer-Encoding: quoted-printable',
  'Content-Transfer-Encoding: x-uuencode',
  'Subject: =?utf-8?Q?=FF=FE?= =?x?B?////?=',
  `To: ${'"a" <a@example.org>, '.repeat(2000)}`,
  'Content-Disposition: attachment; filename="../../x"',
  'Content-ID: <>',
  'Date: Mon, 99 Foo 99999 99:99:99',
]

const oddHeader = withLines((lines, random) => {
  const headers = lines.flatMap((line, index) => (/^[\w-]+:/.test(line) ? [index] : []))
  if (headers.length === 0) return lines
  return lines.toSpliced(random.pick(headers), random.next() < 0.5 ? 1 : 0, random.pick(oddHeaders))
})

/** Parts within parts. */
const nestParts = withLines((lines, random) => {
  const depth = random.pick([3, 30, 300])
  const opened = Array.from({ length: depth }, (_, level) => [
    `Content-Type: multipart/mixed; boundary="b${level}"`,
    '',
    `--b${level}`,
  ])
  return [...opened.flat(), ...lines]
})

export const mimeMutations: readonly Mutation[] = [oddHeader, oddHeader, nestParts, ...textMutations]
