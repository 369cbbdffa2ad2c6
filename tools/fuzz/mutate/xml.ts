import type { Random } from '@kiln/test-support/random.ts'
import { below, type Mutation } from './generic.ts'

// Elements and attributes of XML and HTML. The result may be well formed or not.

const oddValues = [
  '',
  '-1',
  '0',
  '99999999999999999999',
  'NaN',
  '1e308',
  '&#0;',
  '\uFFFF',
  'a'.repeat(5000),
  '../../../etc/passwd',
  'file:///etc/passwd',
  'http://127.0.0.1/',
  '%n%s',
  'rId999',
]

const element = /<[\w:.-]+(?:\s[^<>]*)?>/g

/** The start of an element, chosen at random. */
function anyElement(text: string, random: Random): { index: number; tag: string } | undefined {
  const from = below(random, text.length)
  element.lastIndex = from
  const found = element.exec(text)
  return found ? { index: found.index, tag: found[0] } : undefined
}

const withText =
  (change: (text: string, random: Random) => string): Mutation =>
  (file, random) =>
    Buffer.from(change(file.toString('utf8'), random))

const oddAttribute = withText((text, random) =>
  text.replaceAll(/(\s[\w:.-]+=)"[^"]*"/g, (found, name: string) =>
    random.next() < 0.02 ? `${name}"${random.pick(oddValues)}"` : found,
  ),
)

const oddText = withText((text, random) =>
  text.replaceAll(/>[^<>]{1,200}</g, (found) =>
    random.next() < 0.05 ? `>${random.pick(oddValues)}<` : found,
  ),
)

const deleteTag = withText((text, random) => {
  const found = anyElement(text, random)
  return found ? text.slice(0, found.index) + text.slice(found.index + found.tag.length) : text
})

const nestElement = withText((text, random) => {
  const found = anyElement(text, random)
  const depth = random.pick([2, 50, 3000])
  return found ? text.slice(0, found.index) + found.tag.repeat(depth) + text.slice(found.index) : text
})

/** A copy of some elements elsewhere. */
const moveElements = withText((text, random) => {
  const [from, to] = [anyElement(text, random), anyElement(text, random)]
  if (!from || !to) return text
  const copied = text.slice(from.index, from.index + below(random, 3000))
  return text.slice(0, to.index) + copied + text.slice(to.index)
})

const addEntities = withText((text) => {
  const entities = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
  const start = text.indexOf('?>')
  return `${text.slice(0, start + 2)}${entities}${text.slice(start + 2).replace('>', '>&b;')}`
})

export const xmlMutations: readonly Mutation[] = [
  oddAttribute,
  oddText,
  deleteTag,
  nestElement,
  moveElements,
  addEntities,
]
