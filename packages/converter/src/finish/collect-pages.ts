import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openOutput } from '../checks/open-output.ts'
import { writeArchive } from '../package/rewrite-archive.ts'

const pictureName = /^page-(\d{1,6})\.png$/
const [signature, lastChunk] = [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from('IEND', 'latin1')]

/**
 * Checks the pictures that the sandbox left in `folder`. Returns the path of the first one, or of the archive with all of
 * them, which are named after their numbers in the document. Runs in a thread.
 */
export async function collectPages(folder: string, pages: string, archive?: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => pictureName.test(name))
  names.sort((a, b) => numberOf(a) - numberOf(b))
  const [first] = names
  if (first === undefined) throw new Error('no page was drawn')
  const files = new Map<string, Buffer>()
  const numbers = numbersIn(pages)
  for (const name of archive === undefined ? [first] : names) {
    const picture = await readPicture(folder, name)
    files.set(`page-${numbers.next().value}.png`, picture)
  }
  if (archive === undefined) return join(folder, first)
  await writeArchive(archive, files)
  return archive
}

const numberOf = (name: string): number => Number(pictureName.exec(name)?.[1])

async function readPicture(folder: string, name: string): Promise<Buffer> {
  const { handle } = await openOutput(folder, name)
  const bytes = await handle.readFile().finally(() => handle.close())
  const isWhole = bytes.subarray(0, 8).equals(signature) && bytes.subarray(-8, -4).equals(lastChunk)
  if (!isWhole) throw new Error(`${name} is not a whole PNG file`)
  return bytes
}

/** `2,4-5,7-` as 2, 4, 5, 7, 8, …. */
function* numbersIn(ranges: string): Generator<number, never> {
  for (const range of ranges.split(',')) {
    const [from, to = from] = range.split('-')
    const last = to === '' ? Number.POSITIVE_INFINITY : Number(to)
    for (let number = Number(from); number <= last; number += 1) yield number
  }
  throw new Error('more pages than were asked for')
}
