const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const references = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi

/** Decodes character references and the entities that XML defines; others stay as they are. */
export const decodeReferences = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(references, (source, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return entities[name] ?? source
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
        return code <= 0x10ffff ? String.fromCodePoint(code) : source
      })
    : text
