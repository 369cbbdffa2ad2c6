// postal-mime reports the Content-ID of a part and not its Content-Location. A part that has only the latter gets a
// Content-ID here, before the message is parsed.

const locationHeader = /^content-location:[ \t]*([^\r\n]{1,2000})/gim

export interface WithIds {
  message: Buffer
  /** Content-Location by Content-ID. */
  locations: ReadonlyMap<string, string>
}

export function addContentIds(message: Buffer): WithIds {
  const text = message.toString('latin1')
  const locations = new Map<string, string>()
  const changed = text.replaceAll(locationHeader, (line, location: string, at: number) => {
    const id = `${locations.size}@location.kiln`
    if (hasContentId(text, at)) return line
    locations.set(id, location.trim())
    return `Content-ID: <${id}>\r\n${line}`
  })
  return { message: locations.size === 0 ? message : Buffer.from(changed, 'latin1'), locations }
}

/** Headers of a part are short: a longer block is not looked through. */
const maxHeaderBytes = 4000

function hasContentId(text: string, at: number): boolean {
  const before =
    text
      .slice(Math.max(0, at - maxHeaderBytes), at)
      .split(/\r?\n\r?\n/)
      .at(-1) ?? ''
  const after = text.slice(at, at + maxHeaderBytes).split(/\r?\n\r?\n/, 1)[0] ?? ''
  return /^content-id:/im.test(before + after)
}
