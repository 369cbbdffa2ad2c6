import { openObjects, type PdfDictionary, type PdfValue, transform } from './qpdf.ts'
import type { FileSteps } from './steps.ts'

/** Attaches files to the PDF. A relationship (PDF/A-3) is written where one is given. */
export async function embedFiles(path: string, embeds: NonNullable<FileSteps['embeds']>): Promise<string> {
  const args = embeds.flatMap(({ path: file, name, mimeType }) => [
    '--add-attachment',
    `work/${file}`,
    `--filename=${name}`,
    `--key=${name}`,
    ...(mimeType ? [`--mimetype=${mimeType}`] : []),
    '--replace',
    '--',
  ])
  const attached = await transform(path, ...args)
  const related = new Map(embeds.map(({ name, relationship }) => [`u:${name}`, relationship]))
  if (![...related.values()].some(Boolean)) return attached
  const objects = await openObjects(attached)
  const root = objects.trailer['/Root'] as string
  const catalog = await objects.read(root)
  const names = await objects.read((await objects.read(catalog['/Names']))['/EmbeddedFiles'])
  const associated: PdfValue[] = []
  for (const [key, reference] of await pairsOf(names, objects.read)) {
    const relationship = related.get(key)
    if (!relationship || typeof reference !== 'string') continue
    objects.change(reference, { ...(await objects.read(reference)), '/AFRelationship': `/${relationship}` })
    associated.push(reference)
  }
  objects.change(root, { ...catalog, '/AF': associated })
  return objects.save()
}

/** The entries of a name tree: leaves have names, other nodes have kids. */
async function pairsOf(
  node: PdfDictionary,
  read: (reference: PdfValue) => Promise<PdfDictionary>,
): Promise<[string, PdfValue][]> {
  const found: [string, PdfValue][] = []
  const names = (node['/Names'] ?? []) as PdfValue[]
  for (let i = 0; i + 1 < names.length; i += 2) found.push([String(names[i]), names[i + 1] as PdfValue])
  for (const kid of (node['/Kids'] ?? []) as PdfValue[]) found.push(...(await pairsOf(await read(kid), read)))
  return found
}
