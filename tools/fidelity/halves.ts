import { createHash } from 'node:crypto'

// Rules are developed on one half of the files; the other half shows whether they generalize.

export type Half = 'fit' | 'measure'

/** By a hash of the name, so that a file stays in its half. */
export const halfOf = (id: string): Half =>
  Number.parseInt(createHash('sha1').update(id).digest('hex').slice(0, 1), 16) % 2 === 0 ? 'fit' : 'measure'
