import { readFile, writeFile } from 'node:fs/promises'
import { writeArchive } from '../package/rewrite-archive.ts'
import { chunkMarkdown } from './chunk-markdown.ts'
import { takePictures } from './take-pictures.ts'

export interface MarkdownFinish {
  source: string
  target: string
  chunkSize: number | undefined
  isArchive: boolean
}

/** Runs in a thread. */
export async function finishMarkdown({
  source,
  target,
  chunkSize,
  isArchive,
}: MarkdownFinish): Promise<void> {
  const written = await readFile(source, 'utf8')
  const { markdown, pictures } = isArchive ? takePictures(written) : { markdown: written, pictures: [] }
  const finished = chunkSize === undefined ? markdown : chunkMarkdown(markdown, chunkSize)
  if (!isArchive) return writeFile(target, finished, { flag: 'wx' })
  await writeArchive(target, new Map<string, string | Buffer>([['document.md', finished], ...pictures]))
}
