import { posix } from 'node:path'
import { SaxesParser } from 'saxes'
import type { Pair } from '../catalog/pairs.ts'
import { lookInside } from '../catalog/sniff/look-inside.ts'
import { withUpload } from '../catalog/sniff/upload.ts'
import { readZipPackage, type ZipPackage } from '../catalog/sniff/zip-package.ts'
import type { Findings } from '../report/findings.ts'

// A docx, xlsx, odt or epub is good when the archive unpacks, the parts that its reader asks for are
// there, every reference among them leads somewhere, and the XML is well formed.

export async function checkPackage(path: string, pair: Pair): Promise<Findings> {
  const rule = rules[pair.to as PackageFormat]
  return withUpload(path, async (file) => {
    const zip = await readZipPackage(file, [...rule.required, ...rule.optional], maxPartBytes)
    for (const name of rule.required) {
      if (!zip.parts.has(name)) throw new Error(`the part ${name} is missing`)
    }
    for (const [name, text] of zip.parts) if (name !== 'mimetype') assertWellFormed(name, text)
    rule.check(zip)
    const { input = {} } = lookInside(zip, pair.to)
    return { output: input }
  })
}

const maxPartBytes = 256 * 1024 * 1024

type PackageFormat = 'docx' | 'xlsx' | 'odt' | 'epub'

interface Rule {
  /** By lower-case name. */
  required: readonly string[]
  optional: readonly string[]
  check: (zip: ZipPackage) => void
}

const rules: Record<PackageFormat, Rule> = {
  docx: {
    required: ['[content_types].xml', '_rels/.rels', 'word/document.xml'],
    optional: ['word/_rels/document.xml.rels', 'word/styles.xml', 'word/numbering.xml', 'word/footnotes.xml'],
    check: (zip) => {
      const main = zip.parts.get('word/document.xml') ?? ''
      if (!/wordprocessingml\.document\.main\+xml/.test(zip.parts.get('[content_types].xml') ?? '')) {
        throw new Error('the package does not name a Word document')
      }
      if (!/<w:body\b/.test(main)) throw new Error('the document has no body')
      assertTargetsExist(zip, zip.parts.get('word/_rels/document.xml.rels') ?? '', 'word')
    },
  },
  xlsx: {
    required: ['[content_types].xml', '_rels/.rels', 'xl/workbook.xml', 'xl/_rels/workbook.xml.rels'],
    optional: ['xl/worksheets/sheet1.xml', 'xl/styles.xml', 'xl/sharedstrings.xml'],
    check: (zip) => {
      if (!/spreadsheetml\.sheet\.main\+xml/.test(zip.parts.get('[content_types].xml') ?? '')) {
        throw new Error('the package does not name a workbook')
      }
      if (!/<(?:\w+:)?sheet\b/.test(zip.parts.get('xl/workbook.xml') ?? ''))
        throw new Error('the workbook has no sheets')
      assertTargetsExist(zip, zip.parts.get('xl/_rels/workbook.xml.rels') ?? '', 'xl')
    },
  },
  odt: {
    required: ['mimetype', 'meta-inf/manifest.xml', 'content.xml', 'styles.xml'],
    optional: ['meta.xml'],
    check: (zip) => {
      if (zip.parts.get('mimetype')?.trim() !== 'application/vnd.oasis.opendocument.text') {
        throw new Error('the package does not name a text document')
      }
      const content = zip.parts.get('content.xml') ?? ''
      if (!/<office:text\b/.test(content)) throw new Error('the document has no text body')
      for (const [, href] of content.matchAll(/<draw:image\b[^<>]*xlink:href="(Pictures\/[^"]+)"/g)) {
        if (href && !zip.names.has(decodeURI(href))) throw new Error(`the picture ${href} is missing`)
      }
    },
  },
  epub: {
    required: ['mimetype', 'meta-inf/container.xml'],
    optional: [],
    check: (zip) => {
      if (zip.parts.get('mimetype')?.trim() !== 'application/epub+zip')
        throw new Error('the package names no EPUB')
      const container = zip.parts.get('meta-inf/container.xml') ?? ''
      const packageFile = /full-path\s*=\s*["']([^"']+)["']/.exec(container)?.[1]
      if (!packageFile || !zip.names.has(packageFile)) throw new Error('the package file is missing')
      if (![...zip.names].some((name) => /\.x?html?$/i.test(name)))
        throw new Error('the book has no chapters')
    },
  },
}

/** Word calls a document damaged when a relationship leads nowhere. */
function assertTargetsExist(zip: ZipPackage, relationships: string, folder: string): void {
  for (const [element] of relationships.matchAll(/<Relationship\b[^<>]*>/g)) {
    const target = /\bTarget="([^"]*)"/.exec(element)?.[1]
    if (target === undefined || /TargetMode="External"/.test(element)) continue
    const name = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
    if (!zip.names.has(name)) throw new Error(`the part ${name} is referred to and missing`)
  }
}

function assertWellFormed(name: string, text: string): void {
  const parser = new SaxesParser({ xmlns: false })
  parser.on('error', (error) => {
    throw new Error(`${name} is not well formed: ${error.message}`)
  })
  parser.write(text).close()
}
