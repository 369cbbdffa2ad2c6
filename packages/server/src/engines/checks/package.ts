import { SaxesParser } from 'saxes'
import type { Pair } from '../../catalog/pairs.ts'
import { withUpload } from '../../catalog/sniff/upload.ts'
import { readZipPackage, type ZipPackage } from '../../catalog/sniff/zip-package.ts'

// A docx, odt or epub is good when the archive unpacks, the parts that its reader asks for are
// there, every reference among them leads somewhere, and the XML is well formed.

export async function checkPackage(path: string, pair: Pair): Promise<void> {
  await withUpload(path, async (file) => {
    const zip = await readZipPackage(file, requiredParts[pair.to as PackageFormat], 256 * 1024 * 1024)
    for (const name of requiredParts[pair.to as PackageFormat]) {
      const text = zip.parts.get(name)
      if (text === undefined) throw new Error(`the part ${name} is missing`)
      if (name !== 'mimetype') assertWellFormed(name, text)
    }
    rules[pair.to as PackageFormat](zip)
  })
}

type PackageFormat = 'docx' | 'odt' | 'epub'

const requiredParts: Record<PackageFormat, readonly string[]> = {
  docx: ['[content_types].xml', '_rels/.rels', 'word/document.xml'],
  odt: ['mimetype', 'meta-inf/manifest.xml', 'content.xml', 'styles.xml'],
  epub: ['mimetype', 'meta-inf/container.xml'],
}

const rules: Record<PackageFormat, (zip: ZipPackage) => void> = {
  docx: (zip) => {
    if (!/wordprocessingml\.document\.main\+xml/.test(zip.parts.get('[content_types].xml') ?? '')) {
      throw new Error('the package does not name a Word document')
    }
    if (!/<w:body\b/.test(zip.parts.get('word/document.xml') ?? ''))
      throw new Error('the document has no body')
  },
  odt: (zip) => {
    if (zip.parts.get('mimetype')?.trim() !== 'application/vnd.oasis.opendocument.text') {
      throw new Error('the package does not name a text document')
    }
    if (!/<office:text\b/.test(zip.parts.get('content.xml') ?? ''))
      throw new Error('the document has no text body')
  },
  epub: (zip) => {
    if (zip.parts.get('mimetype')?.trim() !== 'application/epub+zip')
      throw new Error('the package names no EPUB')
    const container = zip.parts.get('meta-inf/container.xml') ?? ''
    const packageFile = /full-path\s*=\s*["']([^"']+)["']/.exec(container)?.[1]
    if (!packageFile || !zip.names.has(packageFile)) throw new Error('the package file is missing')
  },
}

function assertWellFormed(name: string, text: string): void {
  const parser = new SaxesParser({ xmlns: false })
  parser.on('error', (error) => {
    throw new Error(`${name} is not well formed: ${error.message}`)
  })
  parser.write(text).close()
}
