import { describe, expect, it } from 'vitest'
import { chunkMarkdown } from './chunk-markdown.ts'
import { takePictures } from './finish-markdown.ts'

const words = (count: number, word = 'moss') => Array.from({ length: count }, () => word).join(' ')
const chunksOf = (text: string, size: number) => {
  const [, ...parts] = chunkMarkdown(text, size).split(/^<!-- (chunk .*) -->\n\n/m)
  return parts.flatMap((head, index) =>
    index % 2 === 0 ? [{ head, text: parts[index + 1]?.trim() ?? '' }] : [],
  )
}

describe('chunks of Markdown', () => {
  it('hold whole sections as long as they fit, and name the headings above', () => {
    const text = `Before.\n\n# Book\n\n${words(10)}\n\n## First *part*\n\n${words(10)}\n\n## Second -- part\n\n${words(30)}\n`
    expect(chunksOf(text, 200)).toEqual([
      { head: 'chunk 1', text: `Before.\n\n# Book\n\n${words(10)}\n\n## First *part*\n\n${words(10)}` },
      { head: 'chunk 2: Book > Second - part', text: `## Second -- part\n\n${words(30)}` },
    ])
  })

  it('are divided between paragraphs, sentences and words, and lose nothing', () => {
    const sentence = `${words(20)}. `
    const text = `# A\n\n${sentence.repeat(12)}\n\n${words(90, 'fern')}\n`
    const chunks = chunksOf(text, 250)
    for (const { head, text } of chunks) {
      expect(text.length).toBeLessThanOrEqual(250)
      expect(head).toMatch(/^chunk \d+: A$/)
    }
    expect(
      chunks
        .map((chunk) => chunk.text)
        .join(' ')
        .split(/\s+/),
    ).toEqual(text.trim().split(/\s+/))
  })

  it('repeat the head of a table and the fence of code', () => {
    const rows = Array.from({ length: 40 }, (_, row) => `| ${row} | ${words(3)} |`)
    const tables = chunksOf(`| n | text |\n| --- | --- |\n${rows.join('\n')}\n`, 300)
    expect(tables.length).toBeGreaterThan(2)
    for (const { text } of tables) expect(text).toMatch(/^\| n \| text \|\n\| --- \| --- \|\n\| \d/)
    const code = chunksOf(`~~~ js\n${Array.from({ length: 60 }, () => 'grow()\n').join('\n')}\n~~~\n`, 300)
    for (const { text } of code) expect(text).toMatch(/^~~~ js\n[\s\S]*\n~~~$/)
  })

  it('count a picture inside the text as its description only', () => {
    const picture = `![moss](data:image/png;base64,${'A'.repeat(5000)})`
    expect(chunksOf(`${words(10)}\n\n${picture}\n`, 200)).toHaveLength(1)
  })
})

it('pictures inside the text become files, each once', () => {
  const data = (text: string) => `data:image/jpeg;base64,${Buffer.from(text).toString('base64')}`
  const text = `![a](${data('one')})\n\n![b](${data('two')} "t")\n\n<img src="${data('one')}">\n`
  const { markdown, pictures } = takePictures(text)
  expect(markdown).toBe('![a](pictures/1.jpg)\n\n![b](pictures/2.jpg "t")\n\n<img src="pictures/1.jpg">\n')
  expect(pictures.map(([name, content]) => [name, content.toString()])).toEqual([
    ['pictures/1.jpg', 'one'],
    ['pictures/2.jpg', 'two'],
  ])
})
