import { createReadStream } from 'node:fs'
import { textBetweenTags, withoutComments } from '../catalog/file-types/shown-text.ts'
import type { FormatName } from '../catalog/formats.ts'
import { countWords } from '../report/count-words.ts'
import type { Findings } from '../report/findings.ts'

/** Text outputs are valid UTF-8 without NUL bytes, and not empty. */
export async function checkText(path: string, format: FormatName = 'txt'): Promise<Findings> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let saysSomething = false
  let kept = ''
  let length = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    if (chunk.includes(0)) throw new Error('the text holds NUL bytes')
    const text = decoder.decode(chunk, { stream: true })
    saysSomething ||= /\S/.test(text)
    length += text.length
    if (length <= countedLength) kept += text
  }
  decoder.decode()
  if (!saysSomething) throw new Error('the text is blank')
  if (length > countedLength) return {}
  return { output: format === 'json' ? countedBlocks(kept) : counted(kept, format === 'html') }
}

/** Longer texts are not counted: the job should not wait for a count. */
const countedLength = 2 * 1024 * 1024

/** Counts the blocks of a PDF. Throws when the text is not JSON. */
function countedBlocks(json: string): NonNullable<Findings['output']> {
  const { blocks } = JSON.parse(json) as { blocks: { role: string; text: string }[] }
  return {
    words: countWords(blocks.map(({ text }) => text).join('\n')),
    pictures: blocks.filter(({ role }) => role === 'picture').length,
  }
}

function counted(text: string, isHtml: boolean): NonNullable<Findings['output']> {
  // A picture inside the text is one long word, and none that anybody reads; nor are comments.
  const plain = withoutComments(text).replaceAll(/data:image\/[^\s"')]+/g, ' ')
  const pictures = [...text.matchAll(/data:image\//g)].length
  const body = isHtml ? plain.slice(plain.indexOf('</head>')) : plain
  return { words: countWords(isHtml ? textBetweenTags(body) : plain), pictures }
}
