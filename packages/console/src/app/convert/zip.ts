import { makeZip } from 'client-zip'
import { type Item, outputName } from './item.ts'

// All results in one zip, built in the browser: those of the server and those that never left the computer.

export async function downloadAsZip(
  items: readonly Item[],
  onProgress: (count: number) => void,
): Promise<void> {
  const names = uniqueNames(items.map(outputName))
  const zip = await new Response(makeZip(entries(items, names, onProgress))).blob()
  const url = URL.createObjectURL(zip)
  const link = document.createElement('a')
  link.href = url
  link.download = 'converted.zip'
  link.click()
  // The download has begun; Safari needs the address for a moment longer.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

async function* entries(
  items: readonly Item[],
  names: readonly string[],
  onProgress: (count: number) => void,
) {
  for (const [index, { blob, downloadUrl }] of items.entries()) {
    const input = blob ?? (await fetchResult(downloadUrl as string))
    yield { name: names[index] as string, input, lastModified: new Date() }
    onProgress(index + 1)
  }
}

async function fetchResult(url: string): Promise<Response> {
  const response = await fetch(url)
  if (!response.ok) throw new Error('A result has expired. Convert its file again.')
  return response
}

/** Two files of the same name become `a.pdf` and `a (2).pdf`. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let unique = name
    for (let count = 2; taken.has(unique); count++) unique = name.replace(/(\.[^.]*)?$/, ` (${count})$1`)
    taken.add(unique)
    return unique
  })
}
