// The rows of a PNG picture.

/** The compressed rows: the content of all IDAT chunks. */
export function compressedRows(png: Buffer): Buffer {
  const found: Buffer[] = []
  for (let at = 8; at + 8 <= png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      found.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  return Buffer.concat(found)
}

/** Undoes the filter of a row. `above` is the row before it, `step` the number of bytes of a pixel. */
export function unfilterRow(filter: number, row: Buffer, above: Buffer, step: number): Buffer {
  const bytes = Buffer.from(row)
  for (let at = 0; at < bytes.length; at += 1) {
    const left = bytes[at - step] ?? 0
    const up = above[at] ?? 0
    const corner = at < step ? 0 : (above[at - step] ?? 0)
    bytes[at] = (row[at] ?? 0) + predict(filter, left, up, corner)
  }
  return bytes
}

function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  return filter === 4 ? paeth(left, up, corner) : 0
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner
  const [toLeft, toUp, toCorner] = [
    Math.abs(estimate - left),
    Math.abs(estimate - up),
    Math.abs(estimate - corner),
  ]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}
