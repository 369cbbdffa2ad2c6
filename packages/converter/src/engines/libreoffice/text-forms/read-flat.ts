import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { pictureKind } from '../../../catalog/file-types/picture-kind.ts'
import type { Block, Content, Part, Run } from './content.ts'
import { isBlank, plainText } from './content.ts'
import { type OpenTable, openTable } from './open-table.ts'
import { type OpenParagraph, openParagraph } from './paragraph.ts'

// Parses sheets and slides from flat OpenDocument, which LibreOffice writes for all of them. Cells contain their
// displayed text: numbers and dates are formatted. The file is parsed as a stream in one pass; styles precede their
// use.

/** The destination of a paragraph's text. */
type Place = 'body' | 'title' | 'notes' | 'cell' | 'chart-title' | 'nowhere'

/** Elements without text that is visible at their position. */
const skipped = new Set(['office:annotation', 'office:forms', 'chart:axis', 'text:note', 'draw:object-ole'])

const places: ReadonlyMap<string, Place> = new Map(
  Object.entries({
    title: 'title',
    notes: 'notes',
    footer: 'nowhere',
    header: 'nowhere',
    'date-time': 'nowhere',
    'page-number': 'nowhere',
  }),
)

interface Frame {
  images: number
  shown?: { type: string; base64: string }
  description: string
  hasContent: boolean
}

export async function readFlat(path: string): Promise<Content> {
  const parser = new SaxesParser({ xmlns: false })
  const reader = createReader()
  parser.on('opentag', reader.open)
  parser.on('text', reader.text)
  parser.on('closetag', ({ name }) => reader.close(name))
  parser.on('error', (error) => {
    throw error
  })
  // The file comes from the sandbox: links are not followed, and only a regular file is read.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    if (!(await file.stat()).isFile()) throw new Error('LibreOffice left no file.')
    const chunks = file.createReadStream({ encoding: 'utf8', highWaterMark: 1 << 18, autoClose: false })
    for await (const chunk of chunks) parser.write(chunk as string)
  } finally {
    await file.close()
  }
  parser.close()
  return reader.content
}

function createReader() {
  const content: Content = { parts: [], unshownPictures: 0 }
  const hiddenStyles = new Set<string>()
  /** Style and level. */
  const numberedLists = new Set<string>()
  const unmarkedLists = new Set<string>()
  const frames: Frame[] = []
  const tables: OpenTable[] = []
  const lists: string[] = []
  /** Each ends with the element that started it. */
  const placesOf: { place: Place; depth: number }[] = []
  let [depth, skipDepth, objects] = [0, 0, 0]
  let isSheet = false
  let styleName = ''
  let part: Part | undefined
  let paragraph: OpenParagraph | undefined
  let chartTitle: Run[] = []
  /** Chunks of a picture or of its description. */
  let gathered: string[] | undefined

  const enter = (place: Place) => placesOf.push({ place, depth })
  const here = () => placesOf.at(-1)?.place ?? 'nowhere'
  const startPart = (title: string, style: string | undefined) => {
    const number = content.parts.length + 1
    part = { number, title, isHidden: hiddenStyles.has(style ?? ''), blocks: [], notes: [] }
    content.parts.push(part)
  }
  const add = (block: Block) => {
    if (here() === 'notes') part?.notes.push(block)
    else part?.blocks.push(block)
  }

  const startParagraph = () => {
    paragraph = openParagraph()
  }
  const startGathering = () => {
    gathered = []
  }

  const opening: Record<string, (attributes: Record<string, string>) => void> = {
    'style:style': (attributes) => {
      styleName = attributes['style:name'] ?? ''
    },
    'style:table-properties': (attributes) => {
      if (attributes['table:display'] === 'false' && objects === 0) hiddenStyles.add(styleName)
    },
    'style:drawing-page-properties': (attributes) => {
      if (attributes['presentation:visibility'] === 'hidden') hiddenStyles.add(styleName)
    },
    'text:list-style': (attributes) => {
      styleName = attributes['style:name'] ?? ''
    },
    'text:list-level-style-number': (attributes) => {
      const isMarked = attributes['style:num-format'] !== ''
      ;(isMarked ? numberedLists : unmarkedLists).add(`${styleName} ${attributes['text:level']}`)
    },
    'office:spreadsheet': () => {
      isSheet = true
    },
    'draw:page': (attributes) => {
      startPart('', attributes['draw:style-name'])
      enter('body')
    },
    'presentation:notes': () => enter('nowhere'),
    'draw:frame': () => frames.push({ images: 0, description: '', hasContent: false }),
    'draw:object': () => {
      objects += 1
      const frame = frames.at(-1)
      if (frame) frame.hasContent = true
      enter('nowhere')
    },
    'chart:title': () => {
      chartTitle = []
      enter('chart-title')
    },
    'table:table': (attributes) => {
      const frame = frames.at(-1)
      if (frame) frame.hasContent = true
      if (frames.length === 0) startPart(attributes['table:name'] ?? '', attributes['table:style-name'])
      tables.push(openTable())
      enter('nowhere')
    },
    'table:shapes': () => enter('body'),
    'table:table-row': (attributes) =>
      tables.at(-1)?.startRow(countOf(attributes['table:number-rows-repeated'])),
    'table:table-cell': (attributes) => startCell(attributes, false),
    'table:covered-table-cell': (attributes) => startCell(attributes, true),
    'text:list': (attributes) => lists.push(attributes['text:style-name'] ?? lists.at(-1) ?? ''),
    'text:p': startParagraph,
    'text:h': startParagraph,
    'text:a': (attributes) => paragraph?.startLink(attributes['xlink:href'] ?? ''),
    'text:s': (attributes) => paragraph?.addExactly(' '.repeat(Math.min(100, countOf(attributes['text:c'])))),
    'text:tab': () => paragraph?.addExactly(' '),
    'text:line-break': () => paragraph?.addExactly('\n'),
    'office:binary-data': startGathering,
    'svg:title': startGathering,
    'svg:desc': startGathering,
  }

  const startCell = (attributes: Record<string, string>, isCovered: boolean) => {
    tables.at(-1)?.startCell({
      repeated: countOf(attributes['table:number-columns-repeated']),
      columns: countOf(attributes['table:number-columns-spanned']),
      rows: countOf(attributes['table:number-rows-spanned']),
      isCovered,
    })
    enter('cell')
  }

  const endParagraph = () => {
    const text = paragraph?.close() ?? []
    paragraph = undefined
    const place = here()
    if (place === 'cell') tables.at(-1)?.addLine(text)
    if (isBlank(text) || !part) return
    if (place === 'title') part.title = `${part.title} ${plainText(text)}`.replaceAll(/\s+/g, ' ').trim()
    else if (place === 'chart-title') chartTitle = text
    else if (place === 'body' || place === 'notes') {
      const level = `${lists.at(-1)} ${lists.length}`
      const isNumbered = numberedLists.has(level)
      const isItem = lists.length > 0 && !unmarkedLists.has(level)
      add(isItem ? { kind: 'item', depth: lists.length, isNumbered, text } : { kind: 'paragraph', text })
    }
  }

  const endTable = () => {
    const rows = tables.pop()?.rows ?? []
    if (rows.length === 0) return
    if (objects === 0) {
      // A sheet precedes the pictures on it.
      if (isSheet) part?.blocks.unshift({ kind: 'table', rows })
      else part?.blocks.push({ kind: 'table', rows })
    } else if (!isSheet) {
      // A chart on a slide has its own data; one on a sheet shows the data of the sheet.
      if (!isBlank(chartTitle)) part?.blocks.push({ kind: 'paragraph', text: chartTitle })
      part?.blocks.push({ kind: 'table', rows })
    }
  }

  const endFrame = () => {
    const frame = frames.pop()
    if (!frame || frame.hasContent || frame.images === 0 || here() === 'nowhere') return
    if (frame.shown) add({ kind: 'picture', ...frame.shown, description: frame.description })
    else content.unshownPictures += 1
  }

  const endGathered = (): string => {
    const text = gathered?.join('') ?? ''
    gathered = undefined
    return text
  }

  const closing: Record<string, () => void> = {
    'text:p': endParagraph,
    'text:h': endParagraph,
    'text:a': () => paragraph?.endLink(),
    'text:list': () => lists.pop(),
    'table:table-cell': () => tables.at(-1)?.endCell(),
    'table:covered-table-cell': () => tables.at(-1)?.endCell(),
    'table:table-row': () => tables.at(-1)?.endRow(),
    'table:table': endTable,
    'draw:frame': endFrame,
    'draw:object': () => {
      objects -= 1
    },
    'office:binary-data': () => {
      const base64 = endGathered().replaceAll(/\s/g, '')
      const frame = frames.at(-1)
      if (!frame) return
      frame.images += 1
      const kind = pictureKind(base64)
      if (kind && !frame.shown) frame.shown = { type: kind.type, base64 }
    },
    'svg:title': () => describeFrame(endGathered()),
    'svg:desc': () => describeFrame(endGathered()),
  }

  const describeFrame = (text: string) => {
    const frame = frames.at(-1)
    if (frame && text.trim() !== '') frame.description = text.replaceAll(/\s+/g, ' ').trim()
  }

  return {
    content,
    open({ name, attributes }: SaxesTagPlain) {
      if (skipDepth > 0 || skipped.has(name)) {
        skipDepth += 1
        return
      }
      depth += 1
      // An object on a cell is not part of the cell's content.
      if (name.startsWith('draw:') && here() === 'cell') enter('body')
      if (Object.hasOwn(opening, name)) opening[name]?.(attributes)
      const place = places.get(attributes['presentation:class'] ?? '')
      if (place) enter(place)
    },
    text(text: string) {
      if (skipDepth > 0) return
      if (gathered) gathered.push(text)
      else paragraph?.add(text)
    },
    close(name: string) {
      if (skipDepth > 0) {
        skipDepth -= 1
        return
      }
      while (placesOf.at(-1)?.depth === depth) placesOf.pop()
      depth -= 1
      if (Object.hasOwn(closing, name)) closing[name]?.()
    },
  }
}

/** A repetition or span count; 1 by default. */
const countOf = (attribute: string | undefined): number => {
  const count = Number(attribute ?? 1)
  return Number.isSafeInteger(count) && count > 0 ? count : 1
}
