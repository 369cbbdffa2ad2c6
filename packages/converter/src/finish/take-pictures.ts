import { hash } from 'node:crypto'

// Extracts pictures that are embedded in Markdown as data URIs into files, each once.

const folder = 'pictures'
const extensions: Readonly<Record<string, string>> = { jpeg: 'jpg', 'svg+xml': 'svg', tiff: 'tif' }
const embedded = /data:image\/([a-z0-9.+-]{1,30});base64,([A-Za-z0-9+/=]+)/g

export interface TakenPictures {
  markdown: string
  /** Name and content. */
  pictures: [string, Buffer][]
}

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
