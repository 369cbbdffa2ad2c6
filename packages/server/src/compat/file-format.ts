import { open } from 'node:fs/promises'
import { type FormatName, formats, pairs } from '@kiln/converter/catalog'
import { extensionOf } from './form.ts'

// Guesses the format of a file: by its name, else by its media type, else by its first and last bytes. The job that
// converts the file verifies it.

const byExtension: ReadonlyMap<string, FormatName> = new Map([
  ...(Object.keys(formats) as FormatName[])
    .filter((name) => pairs.some(({ from }) => from === name))
    .map((name): [string, FormatName] => [`.${formats[name].extension}`, name]),
  ...Object.entries({
    html: '.htm .xhtml',
    md: '.markdown',
    txt: '.text',
    latex: '.ltx .latex',
    rst: '.rest',
    doc: '.dot',
    docm: '.dotm',
    xls: '.xlt',
    xlsx: '.xlsb',
    xlsm: '.xltm',
    ppt: '.pot .pps',
    pptm: '.potm',
    ppsx: '.ppsm',
    odt: '.ott',
    ods: '.ots',
    odp: '.otp',
    odg: '.otg',
    vsdx: '.vsdm',
  } satisfies Partial<Record<FormatName, string>>).flatMap(([name, extensions]) =>
    extensions.split(' ').map((each): [string, FormatName] => [each, name as FormatName]),
  ),
])

export const formatOfExtension = (extension: string): FormatName | undefined => byExtension.get(extension)

const typeOf = (name: FormatName): string => formats[name].contentType.split(';', 1)[0] ?? ''

const byType: ReadonlyMap<string, FormatName> = new Map(
  [...byExtension.values()].map((name): [string, FormatName] => [typeOf(name), name]),
)

export async function formatOf(
  path: string,
  { name = '', type = '' }: { name?: string; type?: string | undefined },
): Promise<FormatName | undefined> {
  const media = type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return formatOfExtension(extensionOf(name)) ?? byType.get(media) ?? (await formatInside(path))
}

const lookedAtBytes = 64 * 1024

async function formatInside(path: string): Promise<FormatName | undefined> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const part = async (position: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(lookedAtBytes), 0, lookedAtBytes, position)
      return buffer.subarray(0, bytesRead).toString('latin1')
    }
    return recognized(await part(0), await part(Math.max(0, size - lookedAtBytes)))
  } finally {
    await file.close()
  }
}

/**
 * A package lists its parts in the central directory at its end; OpenDocument and EPUB packages name their type at the
 * start.
 */
function recognized(head: string, tail: string): FormatName | undefined {
  if (head.startsWith('PK')) {
    const named =
      /mimetypeapplication\/(?:vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)|epub\+zip)/.exec(
        head,
      )
    if (named)
      return ({ text: 'odt', spreadsheet: 'ods', presentation: 'odp' } as const)[named[1] ?? ''] ?? 'epub'
    if (tail.includes('word/document')) return 'docx'
    if (tail.includes('xl/workbook')) return 'xlsx'
    return tail.includes('ppt/presentation') ? 'pptx' : undefined
  }
  if (head.slice(0, 1024).includes('%PDF-')) return 'pdf'
  if (head.startsWith('{\\rtf')) return 'rtf'
  if (head.startsWith('\xd0\xcf\x11\xe0')) return oleFormat(tail + head)
  if (/^\s*<(?:!doctype html|html|\?xml[^>]{0,100}>\s*<html)/i.test(head)) return 'html'
  if (/^(?:received|from|return-path|mime-version|delivered-to):/im.test(head.slice(0, 2000))) return 'eml'
  return head.includes('\0') ? undefined : 'txt'
}

/** Names in a compound file are UTF-16. */
function oleFormat(text: string): FormatName | undefined {
  const names = text.replaceAll('\0', '')
  if (names.includes('WordDocument')) return 'doc'
  if (names.includes('PowerPoint Document')) return 'ppt'
  if (names.includes('__properties_version1.0')) return 'msg'
  return names.includes('Workbook') || names.includes('Book') ? 'xls' : undefined
}
