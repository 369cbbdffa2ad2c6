import { posix } from 'node:path'
import type { PackageEdit } from '../../package/edit-package.ts'
import { editXml, visitXml } from '../../package/edit-xml.ts'

// An EPUB lists its files in a package document, by paths relative to it. Pandoc looks for `OEBPS/../text/a.xhtml` under
// this very name. A package document with such paths is written to the root, where it needs none.

const containerPart = 'meta-inf/container.xml'
const newName = 'kiln-package.opf'

export const plainPaths: PackageEdit = {
  reads: (name) => name === containerPart || name.endsWith('.opf'),
  apply(parts) {
    const container = parts.get(containerPart) ?? ''
    const document = packageDocument(container)
    const xml = parts.get(document.toLowerCase())
    if (xml === undefined || !/\shref\s*=\s*["'][^"'<>]*\.\.\//.test(xml)) return new Map()
    return new Map([
      [containerPart, withAttribute(container, 'rootfile', 'full-path', () => newName)],
      [
        newName,
        withAttribute(xml, 'item', 'href', (href) =>
          isRemote(href) ? href : posix.join(posix.dirname(document), href),
        ),
      ],
    ])
  },
}

function packageDocument(container: string): string {
  let found: string | undefined
  visitXml(container, ({ name, attributes }) => {
    if (withoutPrefix(name) === 'rootfile') found ??= attributes['full-path']
  })
  return found ?? ''
}

const withAttribute = (
  xml: string,
  element: string,
  name: string,
  change: (value: string) => string,
): string =>
  editXml(xml, {
    open(tag, editor) {
      const value = withoutPrefix(tag.name) === element ? tag.attributes[name] : undefined
      if (value !== undefined) editor.setAttributes(tag, { [name]: change(value) })
    },
  })

const isRemote = (href: string): boolean => /^[a-z][\w+.-]*:/i.test(href)

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)
