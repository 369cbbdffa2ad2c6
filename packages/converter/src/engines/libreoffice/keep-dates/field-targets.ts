/** What the fields of a document refer to. */
export interface FieldTargets {
  /** Whether the number of any page is not in plain digits. */
  hasPageFormats(): boolean
  /** Whether LibreOffice finds what a field of this kind refers to. Otherwise it prints an error. */
  finds(field: string, name: string): boolean
}

export function readFieldTargets(body: string | undefined, styles: string): FieldTargets {
  let bookmarks: ReadonlySet<string> | undefined
  let used: ReadonlySet<string> | undefined
  return {
    hasPageFormats: () => /<w:pgNumType\s[^<>]*w:fmt="(?!decimal")/.test(body ?? ''),
    finds(field, name) {
      if (body === undefined) return true
      if (field.toUpperCase() === 'STYLEREF') {
        used ??= namesOfUsedStyles(styles, body)
        return used.has(name.toLowerCase())
      }
      bookmarks ??= new Set(
        Array.from(body.matchAll(/<w:bookmarkStart\s[^<>]*w:name="([^"]*)"/g), ([, each]) => each ?? ''),
      )
      return bookmarks.has(name)
    },
  }
}

/** In lower case. A heading also has its level as a name. Word knows built-in styles by names in its own language too. */
function namesOfUsedStyles(styles: string, body: string): ReadonlySet<string> {
  const ids = new Set(Array.from(body.matchAll(/<w:[pr]Style\s+w:val="([^"]*)"/g), ([, id]) => id))
  const pattern = /<w:style\s[^<>]*w:styleId="([^"]*)"[^<>]*>\s*<w:name\s+w:val="([^"]*)"/g
  return new Set(
    Array.from(styles.matchAll(pattern)).flatMap(([, id = '', name = '']) =>
      ids.has(id) ? [id, name, name.replace(/^heading /i, '')].map((each) => each.toLowerCase()) : [],
    ),
  )
}
