import { unzip, type ZipEntry, zip } from '@kiln/test-support/zip.ts'
import { below, genericMutations, type Mutation } from './generic.ts'
import { xmlMutations } from './xml.ts'

// Parts of a zip package, and the headers around them.

type Entries = ZipEntry[]

const withEntries =
  (
    change: (
      entries: Entries,
      ...more: Parameters<Mutation> extends [Buffer, ...infer R] ? R : never
    ) => Entries,
  ): Mutation =>
  (file, random, other) => {
    let parts: Map<string, Buffer>
    try {
      parts = unzip(file)
    } catch {
      // An earlier mutation broke the archive itself.
      return file
    }
    // Readers of OpenDocument and EPUB want their media type uncompressed.
    const entries = [...parts].map(([name, content]) => ({ name, content, stored: name === 'mimetype' }))
    return entries.length === 0 ? file : zip(change(entries, random, other))
  }

/** Most parts of a package are XML and are mutated as XML. */
const changePart = withEntries((entries, random, other) => {
  const index = below(random, entries.length)
  return entries.map((entry, at) => {
    if (at !== index) return entry
    const content = Buffer.from(entry.content)
    const isXml = /\.(?:xml|rels|x?html|opf|ncx)$/.test(entry.name) && random.next() < 0.85
    const changed = random.pick(isXml ? xmlMutations : genericMutations)(content, random, other)
    return { ...entry, content: changed }
  })
})

const dropPart = withEntries((entries, random) => entries.toSpliced(below(random, entries.length), 1))

const repeatPart = withEntries((entries, random) => [...entries, random.pick(entries)])

const swapParts = withEntries((entries, random) => {
  const [first, second] = [random.pick(entries), random.pick(entries)]
  return entries.map((entry) =>
    entry === first
      ? { ...entry, content: second.content }
      : entry === second
        ? { ...entry, content: first.content }
        : entry,
  )
})

const oddNames = [
  '../../x',
  '/etc/passwd',
  'kiln-folders',
  'kiln-source',
  'data/data',
  'a'.repeat(2000),
  '\\x',
  'con',
]

const renamePart = withEntries((entries, random) => {
  const index = below(random, entries.length)
  return entries.map((entry, at) => (at === index ? { ...entry, name: random.pick(oddNames) } : entry))
})

const signatures = [0x04034b50, 0x02014b50, 0x06054b50]

/** Sizes, methods and offsets in the headers. */
const oddHeader: Mutation = (file, random) => {
  const out = Buffer.from(file)
  const signature = Buffer.alloc(4)
  signature.writeUInt32LE(random.pick(signatures))
  const at = out.indexOf(signature, below(random, out.length))
  if (at === -1 || at + 26 > out.length) return out
  out.writeUInt16LE(random.pick([0, 1, 8, 9, 99, 0xffff]), at + 4 + 2 * below(random, 11))
  return out
}

export const zipMutations: readonly Mutation[] = [
  changePart,
  changePart,
  changePart,
  changePart,
  dropPart,
  repeatPart,
  swapParts,
  renamePart,
  oddHeader,
]
