import { buffer } from 'node:stream/consumers'
import type { Output } from '../outputs.ts'
import { type Fields, openFields } from './fields.ts'
import {
  archiveSteps,
  checkSteps,
  type ReadSteps,
  readArchiveFormat,
  readEmbeds,
  readMarks,
  readMerge,
  readPasswords,
  readRotation,
  readSplit,
  readSteps,
  type Steps,
} from './steps.ts'
import { applySteps, type Work } from './work.ts'

// POST /forms/pdfengines/…: each route reads its own fields; all of them become steps of one job.

type ReadRoute = (fields: Fields, work: Work) => ReadSteps

const plain = (steps: Steps): ReadSteps => ({ steps, entries: [] })

export const pdfRoutes: Readonly<Record<string, ReadRoute>> = {
  merge: (fields, work) => {
    const read = withFormat(fields, readSteps)
    return { ...read, steps: { merge: readMerge(fields, work.baseName), ...read.steps } }
  },
  split: (fields) => {
    const split = readSplit(fields, true)
    const read = withFormat(fields, readSteps)
    return { ...read, steps: { ...(split ? { split } : {}), ...read.steps } }
  },
  flatten: () => plain({ flatten: true }),
  rotate: (fields) => plain({ rotate: readRotation(fields, true) }),
  'metadata/write': (fields) => {
    fields.required('metadata')
    return plain({ metadata: fields.json('metadata') })
  },
  'bookmarks/write': (fields) => {
    fields.required('bookmarks')
    return plain({ bookmarks: fields.json('bookmarks') })
  },
  watermark: (fields) => {
    const entries: ReadSteps['entries'] = []
    return { steps: { watermarks: readMarks(fields, 'watermark', entries, true) }, entries }
  },
  stamp: (fields) => {
    const entries: ReadSteps['entries'] = []
    return { steps: { stamps: readMarks(fields, 'stamp', entries, true) }, entries }
  },
  embed: (fields) => {
    const entries: ReadSteps['entries'] = []
    return { steps: { embeds: readEmbeds(fields, entries) }, entries }
  },
  encrypt: (fields) => {
    const encrypt = readPasswords(fields)
    if (!encrypt) fields.fault("a 'userPassword' or 'ownerPassword' is required")
    return plain(encrypt ? { encrypt } : {})
  },
  convert: (fields) => {
    const format = readArchiveFormat(fields)
    if (!fields.has('pdfa') && !fields.has('pdfua'))
      fields.fault("either 'pdfa' or 'pdfua' form fields must be provided")
    return { ...plain({}), finish: () => archiveSteps(format, {}) }
  },
}

/** The archive format is validated once the form has no other error. */
function withFormat(fields: Fields, read: (fields: Fields) => ReadSteps): ReadSteps {
  const format = readArchiveFormat(fields)
  return { ...read(fields), finish: (steps) => archiveSteps(format, steps) }
}

export async function processPdfs(work: Work, route: ReadRoute): Promise<Output> {
  const fields = openFields(work.form)
  const { steps, entries, finish } = route(fields, work)
  const pdfs = fields.filesWith(['.pdf'])
  fields.done()
  checkSteps(steps)
  return applySteps(work, pdfs, { steps: { ...steps, ...finish?.(steps) }, entries })
}

/** Metadata or bookmarks of PDFs, as JSON. */
export async function readPdfs(work: Work, read: 'metadata' | 'bookmarks'): Promise<Buffer> {
  const fields = openFields(work.form)
  const pdfs = fields.filesWith(['.pdf'])
  fields.done()
  const output = await applySteps(work, pdfs, { steps: { read }, entries: [] })
  const file = 'files' in output ? output.files[0] : undefined
  if (!file) throw new Error('The result of a reading step is one file.')
  return buffer(await file.open())
}
