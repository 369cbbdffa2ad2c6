import { hash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { writeArchive } from '../package/rewrite-archive.ts'
import { chunkMarkdown } from './chunk-markdown.ts'

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

const folder = 'pictures'
const extensions: Readonly<Record<string, string>> = { jpeg: 'jpg', 'svg+xml': 'svg', tiff: 'tif' }
const embedded = /data:image\/([a-z0-9.+-]{1,30});base64,([A-Za-z0-9+/=]+)/g

interface TakenPictures {
  markdown: string
  /** Name and content. */
  pictures: [string, Buffer][]
}

/** Extracts pictures that are embedded in Markdown as data URIs into files, each once. */
export function takePictures(text: string): TakenPictures {
  const names = new Map<string, string>()
  const pictures: [string, Buffer][] = []
  const markdown = text.replaceAll(embedded, (_, kind: string, data: string) => {
    const content = Buffer.from(data, 'base64')
    const key = `${kind} ${hash('sha256', content)}`
    const known = names.get(key)
    if (known !== undefined) return known
    const name = `${folder}/${pictures.length + 1}.${extensions[kind] ?? kind.replaceAll(/[^a-z0-9]/g, '')}`
    names.set(key, name)
    pictures.push([name, content])
    return name
  })
  return { markdown, pictures }
}
