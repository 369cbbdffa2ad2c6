import { mkdir, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { failed } from '../failure.ts'
import { readArchive } from './archive/read-archive.ts'
import { applySteps } from './files/apply-steps.ts'
import { readBookmarks } from './files/bookmarks.ts'
import { readProperties } from './files/document-properties.ts'
import { readMetadata } from './files/metadata.ts'
import type { FileSteps } from './files/steps.ts'
import { reportFailure } from './report-failure.ts'

// Several files and the steps to apply to them, in the sandbox.
//
//   process-files.mjs IN OUT PDFA   IN is a ZIP archive with steps.json (files/steps.ts) and the files that it names.
//                                   OUT becomes a ZIP archive with the resulting files, or with result.json. PDFA is
//                                   the folder of the program that makes PDF/A

const [input = '', output = '', pdfaFolder = ''] = process.argv.slice(2)
const readers = { metadata: readMetadata, bookmarks: readBookmarks, properties: readProperties }

await reportFailure(async () => {
  const files = await readArchive(input)
  const steps = JSON.parse(files.get('steps.json')?.toString('utf8') ?? 'null') as FileSteps | null
  if (!steps) throw failed.corruptInput('The file set has no list of steps.')
  await mkdir('work')
  for (const [path, bytes] of files) await writeFile(`work/${path}`, bytes, { flag: 'wx' })
  const results = steps.read ? await readEach(steps, steps.read) : await applySteps(steps, pdfaFolder)
  const archive = new ZipFile()
  // Stored, so that a single result can be read out of the archive by its place.
  for (const { name, data } of results) archive.addBuffer(data, name, { compress: false })
  archive.end()
  await writeFile(output, await buffer(archive.outputStream), { flag: 'wx' })
})

async function readEach({ files }: FileSteps, what: keyof typeof readers) {
  const found: Record<string, unknown> = {}
  for (const { path, name } of files) found[name] = await readers[what](`work/${path}`)
  return [{ name: 'result.json', data: Buffer.from(JSON.stringify(found)) }]
}
