import { posix } from 'node:path'
import { packageFindings } from '../catalog/file-types/package-findings.ts'
import { withUpload } from '../catalog/file-types/upload.ts'
import type { Pair } from '../catalog/pairs.ts'
import { readZipPackage, type ZipPackage } from '../package/read-package.ts'
import { relationshipsIn } from '../package/relationships.ts'
import { assertWellFormed } from '../package/well-formed.ts'
import type { Findings } from '../report/findings.ts'

// A package is valid when the archive unpacks, the required parts exist, every relationship resolves, and the XML is
// well formed. No package contains macros.

export async function checkPackage(path: string, pair: Pair): Promise<Findings> {
  const rule = rules[pair.to as PackageFormat]
  return withUpload(path, async (file) => {
    const zip = await readZipPackage(file, { wanted: [...rule.required, ...rule.optional], maxPartBytes })
    for (const name of rule.required) {
      if (!zip.parts.has(name)) throw new Error(`the part ${name} is missing`)
    }
    for (const [name, text] of zip.parts) if (name !== 'mimetype') assertWellFormed(name, text)
    rule.check(zip)
    const { input = {}, leftOut = {} } = packageFindings(zip, pair.to)
    if (leftOut.macros) throw new Error('the package holds macros')
    return { output: input, kept: leftOut }
  })
}

const maxPartBytes = 256 * 1024 * 1024

type PackageFormat = 'docx' | 'xlsx' | 'pptx' | 'odt' | 'ods' | 'odp' | 'epub'

interface Rule {
  /** By lower-case name. */
  required: readonly string[]
  optional: readonly string[]
  check: (zip: ZipPackage) => void
}

const numbered = (before: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${before}${index + 1}.xml`)

const rules: Record<PackageFormat, Rule> = {
  docx: {
    required: ['[content_types].xml', '_rels/.rels', 'word/document.xml'],
    optional: ['word/_rels/document.xml.rels', 'word/styles.xml', 'word/numbering.xml', 'word/footnotes.xml'],
    check: (zip) =>
      checkOpenXml(zip, 'word/document.xml', /wordprocessingml\.document\.main\+xml/, /<w:body\b/),
  },
  xlsx: {
    required: ['[content_types].xml', '_rels/.rels', 'xl/workbook.xml', 'xl/_rels/workbook.xml.rels'],
    optional: ['xl/styles.xml', 'xl/sharedstrings.xml', ...numbered('xl/worksheets/sheet', 10)],
    check: (zip) => checkOpenXml(zip, 'xl/workbook.xml', /spreadsheetml\.sheet\.main\+xml/, /<sheet\b/),
  },
  pptx: {
    required: ['[content_types].xml', '_rels/.rels', 'ppt/presentation.xml', 'ppt/slides/slide1.xml'],
    optional: ['ppt/_rels/presentation.xml.rels', ...numbered('ppt/slides/slide', 40)],
    check: (zip) =>
      checkOpenXml(zip, 'ppt/presentation.xml', /presentationml\.presentation\.main\+xml/, /<p:sldId\b/),
  },
  odt: openDocument('text'),
  ods: openDocument('spreadsheet'),
  odp: openDocument('presentation'),
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

function checkOpenXml(zip: ZipPackage, main: string, type: RegExp, body: RegExp): void {
  if (!type.test(zip.parts.get('[content_types].xml') ?? ''))
    throw new Error('the package does not name a document of its kind')
  if (!body.test(zip.parts.get(main) ?? '')) throw new Error('the document has no body')
  const { dir, base } = posix.parse(main)
  assertTargetsExist(zip, zip.parts.get(`${dir}/_rels/${base}.rels`) ?? '', dir)
}

function openDocument(kind: 'text' | 'spreadsheet' | 'presentation'): Rule {
  return {
    required: ['mimetype', 'meta-inf/manifest.xml', 'content.xml', 'styles.xml'],
    optional: ['meta.xml'],
    check: (zip) => {
      if (zip.parts.get('mimetype')?.trim() !== `application/vnd.oasis.opendocument.${kind}`) {
        throw new Error(`the package does not name a document of the kind ${kind}`)
      }
      const content = zip.parts.get('content.xml') ?? ''
      if (!content.includes(`<office:${kind}`)) throw new Error('the document has no body')
      for (const [, href] of content.matchAll(/<draw:image\b[^<>]*xlink:href="(Pictures\/[^"]+)"/g)) {
        if (href && !zip.names.has(decodeURI(href))) throw new Error(`the picture ${href} is missing`)
      }
    },
  }
}

/** Word calls a document damaged when a relationship leads nowhere. */
function assertTargetsExist(zip: ZipPackage, relationships: string, folder: string): void {
  for (const { target } of relationshipsIn(relationships, folder))
    if (target !== null && !zip.names.has(target))
      throw new Error(`the part ${target} is referred to and missing`)
}
