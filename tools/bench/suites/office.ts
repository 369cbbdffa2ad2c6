import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { docxWith } from '@kiln/test-support/documents.ts'
import { openTestConverter, pairOf, pairsOf, type TestConverter } from '@kiln/test-support/test-converter.ts'
import { atLeast, atMost, type Figure } from '../figures.ts'
import { maxPrivateMB, maxResidentMB, serverMB } from '../processes.ts'
import { median } from '../statistics.ts'
import type { Suite } from '../suite.ts'
import { type Convert, coldSoffice, warmUno } from './office/competitors.ts'
import { type Kind, kinds, makeDocuments } from './office/documents.ts'

export const officeSuite: Suite = {
  name: 'office',
  startsPrograms: true,
  title: 'Office documents',
  method:
    'Four documents (docx of 12 pages, xlsx, pptx, odt) converted by Kiln, by one warm LibreOffice over UNO, and by a new `soffice --convert-to pdf` for each document; the last two without a sandbox and an output check. Ratios are geometric means.',
  async run(environment, { short, say }) {
    const folder = await environment.createFolder('office')
    const documents = await makeDocuments(join(folder, 'documents'))
    const target = (way: string) => join(folder, `${way}.pdf`)
    const cold = await coldSoffice(join(folder, 'cold'))
    const kiln = await openTestConverter({ pairs: pairsOf('libreoffice') })
    await kiln.converter.prepare()
    const forked: Convert = async (kind, source, path) => {
      await kiln.converter.convertFile({ pair: pairOf(kind, 'pdf'), input: source, output: path })
    }
    const uno = await warmUno(join(folder, 'uno'))
    try {
      const ways: Record<Way, Convert> = { forked, uno: uno.convert, cold }
      const times = await measureLatency(ways, documents, folder, short ? 4 : 15, short ? 2 : 5)
      for (const kind of kinds)
        say(
          `${kind}: ${wayNames.map((way) => `${way} ${median(times[way][kind]).toFixed(0)} ms`).join(', ')}`,
        )

      const rates = await measureThroughput(ways, documents, target, short ? 2 : 3, short ? 3 : 5)
      say(`documents per second: forked ${rates.forked.toFixed(2)}, uno ${rates.uno.toFixed(2)}`)

      const memory = { private: 0, resident: 0 }
      for (const kind of kinds) {
        memory.private = Math.max(
          memory.private,
          await maxPrivateMB(() => forked(kind, documents[kind], target('forked'))),
        )
        memory.resident = Math.max(
          memory.resident,
          await maxResidentMB(() => cold(kind, documents[kind], target('cold'))),
        )
      }
      say(`memory: ${memory.private.toFixed(0)} MB private, cold ${memory.resident.toFixed(0)} MB`)

      const beside = await measureHanging(kiln, forked, documents, folder, short ? 10 : 50)
      say(
        `${beside.count} documents: ${beside.alone.toFixed(1)} s, beside a hanging one ${beside.together.toFixed(1)} s`,
      )

      const row = await measureRow(forked, documents.odt, folder, short ? 60 : 1000)
      say(
        `${row.right} of ${row.count} right; the server had ${row.early.toFixed(1)} MB, then ${row.late.toFixed(1)} MB`,
      )

      return {
        figures: [
          ratioFigure('latency against a new soffice per document, median', times, 'cold', 0.25),
          ratioFigure('latency against one warm soffice over UNO, median', times, 'uno', 1),
          {
            name: `documents per second against one warm soffice, ${availableParallelism()} cores`,
            seen: rates.forked / rates.uno,
            unit: '×',
            target: atLeast(1.9),
            detail: `${rates.forked.toFixed(2)} against ${rates.uno.toFixed(2)} documents/s, medians of blocks in turns`,
          },
          {
            name: 'private memory per document against a cold soffice’s resident memory',
            seen: memory.private / memory.resident,
            unit: '×',
            target: atMost(0.4),
            detail: `${memory.private.toFixed(0)} MB against ${memory.resident.toFixed(0)} MB, each the most of the four`,
          },
          {
            name: `${row.count} documents in a row: the server’s memory at the end against that after a tenth`,
            seen: row.late / row.early,
            unit: '×',
            target: atMost(1.1),
            detail: `${row.early.toFixed(1)} MB, then ${row.late.toFixed(1)} MB; private anonymous memory`,
          },
          {
            name: `${row.count} documents in a row: share with the right pages`,
            seen: row.right / row.count,
            unit: '',
            target: atLeast(1),
            detail: `${row.right} of ${row.count}`,
          },
          {
            name: `${beside.count} good documents beside a hanging one, time against without it`,
            seen: beside.together / beside.alone,
            unit: '×',
            target: atMost(1.1),
            detail: `${beside.together.toFixed(1)} s against ${beside.alone.toFixed(1)} s, ${beside.lanes} at a time`,
          },
        ],
      }
    } finally {
      await uno.stop()
      await kiln.close()
    }
  },
}

type Way = 'forked' | 'uno' | 'cold'
const wayNames: readonly Way[] = ['forked', 'uno', 'cold']

type Times = Record<Way, Record<Kind, number[]>>

async function measureLatency(
  ways: Record<Way, Convert>,
  documents: Record<Kind, string>,
  folder: string,
  rounds: number,
  coldRounds: number,
): Promise<Times> {
  const none = (): Record<Kind, number[]> => ({ docx: [], xlsx: [], pptx: [], odt: [] })
  const times: Times = { forked: none(), uno: none(), cold: none() }
  // Round -1 is a warm-up for all sides and does not count.
  for (let round = -1; round < rounds; round++) {
    for (const kind of kinds) {
      for (const way of wayNames) {
        if (way === 'cold' && round >= coldRounds) continue
        const started = performance.now()
        await ways[way](kind, documents[kind], join(folder, `${way}-${kind}.pdf`))
        if (round >= 0) times[way][kind].push(performance.now() - started)
      }
    }
  }
  return times
}

function ratioFigure(name: string, times: Times, against: Way, target: number): Figure {
  const ratios = kinds.map((kind) => median(times.forked[kind]) / median(times[against][kind]))
  return {
    name,
    seen: ratios.reduce((product, ratio) => product * ratio, 1) ** (1 / ratios.length),
    unit: '×',
    target: atMost(target),
    detail: kinds.map((kind, index) => `${kind} ${ratios[index]?.toFixed(2)}`).join(', '),
  }
}

async function inLanes(count: number, lanes: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    for (let index = next++; index < count; index = next++) await work(index)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

async function measureThroughput(
  ways: Record<Way, Convert>,
  documents: Record<Kind, string>,
  target: (way: string) => string,
  blocks: number,
  perKind: number,
): Promise<{ forked: number; uno: number }> {
  const rates = { forked: [] as number[], uno: [] as number[] }
  const count = perKind * kinds.length
  for (let block = 0; block < blocks; block++) {
    for (const way of ['uno', 'forked'] as const) {
      // A warm soffice converts one document at a time.
      const lanes = way === 'uno' ? 1 : availableParallelism()
      const started = performance.now()
      await inLanes(count, lanes, async (index) => {
        const kind = kinds[index % kinds.length] as Kind
        await ways[way](kind, documents[kind], target(`${way}-${index}`))
      })
      rates[way].push((count * 1000) / (performance.now() - started))
    }
  }
  return { forked: median(rates.forked), uno: median(rates.uno) }
}

async function measureHanging(
  { converter }: TestConverter,
  convert: Convert,
  documents: Record<Kind, string>,
  folder: string,
  count: number,
) {
  const lanes = availableParallelism()
  // Nested tables, four hundred levels, forty times: LibreOffice needs minutes to lay them out.
  const hanging = join(folder, 'hanging.docx')
  const [open, close] = ['<w:tbl><w:tr><w:tc>', '<w:p/></w:tc></w:tr></w:tbl>']
  await writeFile(hanging, docxWith(`${open.repeat(400)}${close.repeat(400)}<w:p/>`.repeat(40)))
  const seconds = async () => {
    const started = performance.now()
    await inLanes(count, lanes, (index) => {
      const kind = kinds[index % kinds.length] as Kind
      return convert(kind, documents[kind], join(folder, `good-${index}.pdf`))
    })
    return (performance.now() - started) / 1000
  }
  const alone = await seconds()
  const giveUp = new AbortController()
  const hang = converter
    .convertFile({
      pair: pairOf('docx', 'pdf'),
      input: hanging,
      output: `${hanging}.pdf`,
      signal: giveUp.signal,
    })
    .then(
      () => 'converted',
      (error: unknown) => String(error),
    )
  const together = await seconds()
  giveUp.abort()
  const ending = await hang
  if (!/abort/i.test(ending)) throw new Error(`The hanging document ended by itself: ${ending}`)
  return { alone, together, count, lanes }
}

async function measureRow(convert: Convert, document: string, folder: string, count: number) {
  const pages = async (path: string) =>
    /^Pages:\s+(\d+)/m.exec((await promisify(execFile)('pdfinfo', [path])).stdout)?.[1]
  let [right, early, done] = [0, 0, 0]
  await inLanes(count, availableParallelism(), async (index) => {
    const target = join(folder, `row-${index}.pdf`)
    await convert('odt', document, target)
    if ((await pages(target)) === '3') right += 1
    await rm(target)
    done += 1
    if (done === Math.round(count / 10)) early = serverMB()
  })
  return { count, right, early, late: serverMB() }
}
