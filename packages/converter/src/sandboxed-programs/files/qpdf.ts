import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { failed } from '../../failure.ts'

const run = promisify(execFile)
let files = 0

/** A new path for the next version of a file. */
export const nextPath = (): string => `work/step-${++files}.pdf`

const outputBytes = 256 * 1024 * 1024

/** Runs qpdf; its warnings are no failure. Arguments go through a file: other users could read a password on the command line. */
export async function qpdf(...args: readonly string[]): Promise<string> {
  const list = `work/arguments-${++files}`
  await writeFile(list, args.map((each) => `${each}\n`).join(''), { flag: 'wx', mode: 0o600 })
  try {
    return (await run('qpdf', ['--warning-exit-0', `@${list}`], { maxBuffer: outputBytes })).stdout
  } catch (error) {
    throw failureOf(error)
  }
}

function failureOf(error: unknown): Error {
  const stderr = String((error as { stderr?: unknown }).stderr ?? '')
  if (/invalid password/i.test(stderr))
    return failed.passwordProtected('The PDF is protected by a password. Upload it without one.')
  if (/page range|out of range|pages? numbers?/i.test(stderr))
    return failed.unsupported('The page ranges do not fit the number of pages of the PDF.')
  return failed.corruptInput('The PDF is damaged: qpdf cannot process it. Create it again.', error)
}

/** Applies arguments to a file and returns the path of the result. */
export async function transform(path: string, ...args: readonly string[]): Promise<string> {
  const target = nextPath()
  await qpdf(path, ...args, target)
  return target
}

/**
 * A damaged PDF may declare any number of pages. Steps count on it, and viewers show no page of some such files. Only when
 * it selects pages does qpdf compare the declared number with the page tree.
 */
export async function refuseWrongPageCount(path: string): Promise<void> {
  await qpdf(path, '--pages', '.', '1', '--', '/dev/null')
}

/** The number that the PDF declares. */
export const countPages = async (path: string): Promise<number> =>
  Number((await qpdf('--show-npages', path)).trim())

/** A value of qpdf's JSON form of a PDF: references are `12 0 R`, names start with a slash, texts with `u:`. */
export type PdfValue = string | number | boolean | null | PdfValue[] | { [name: string]: PdfValue }
export type PdfDictionary = { [name: string]: PdfValue }

interface PdfJson {
  qpdf: [
    { pdfversion: string; maxobjectid: number },
    Record<string, { value?: PdfDictionary; stream?: { dict: PdfDictionary; data?: string } }>,
  ]
}

/** The objects of a PDF that are asked for, and changes to them. */
export async function openObjects(path: string) {
  const json = JSON.parse(await qpdf('--json=2', '--json-key=qpdf', '--json-object=trailer', path)) as PdfJson
  const [head, { trailer }] = json.qpdf
  const changed: Record<string, object> = {}
  let last = head.maxobjectid
  const read = async (reference: PdfValue | undefined, stream = false): Promise<PdfDictionary> => {
    if (typeof reference !== 'string') return (reference as PdfDictionary | undefined) ?? {}
    const [number = '', generation = ''] = reference.split(' ')
    const data = stream ? ['--json-stream-data=inline', '--decode-level=generalized'] : []
    const found = JSON.parse(
      await qpdf('--json=2', '--json-key=qpdf', `--json-object=${number},${generation}`, ...data, path),
    ) as PdfJson
    const object = found.qpdf[1][`obj:${reference}`]
    return object?.value ?? { ...object?.stream?.dict, data: object?.stream?.data ?? '' }
  }
  return {
    version: head.pdfversion,
    trailer: trailer?.value ?? {},
    read,
    change(reference: string, value: PdfDictionary) {
      changed[`obj:${reference}`] = { value }
    },
    /** Adds to the trailer. qpdf needs the number of objects in it. */
    changeTrailer(values: PdfDictionary) {
      changed.trailer = { value: { ...trailer?.value, ...values, '/Size': last + 1 } }
    },
    add(value: PdfDictionary): string {
      const reference = `${++last} 0 R`
      changed[`obj:${reference}`] = { value }
      return reference
    },
    addStream(dict: PdfDictionary, data: Buffer): string {
      const reference = `${++last} 0 R`
      changed[`obj:${reference}`] = { stream: { dict, data: data.toString('base64') } }
      return reference
    },
    /** The path of the changed PDF. */
    async save(args: readonly string[] = []): Promise<string> {
      const update = {
        qpdf: [
          {
            jsonversion: 2,
            pdfversion: head.pdfversion,
            pushedinheritedpageresources: false,
            calledgetallpages: false,
            maxobjectid: last,
          },
          changed,
        ],
      }
      const list = `work/update-${++files}.json`
      await writeFile(list, JSON.stringify(update), { flag: 'wx' })
      return transform(path, `--update-from-json=${list}`, ...args)
    },
  }
}

export type PdfObjects = Awaited<ReturnType<typeof openObjects>>
