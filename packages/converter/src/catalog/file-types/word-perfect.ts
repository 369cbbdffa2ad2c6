// WordPerfect files begin with a header of 16 bytes: a mark, where the document begins, the product, the type of file,
// its version, and a checksum of the password, which is 0 without one.

const mark = Buffer.from('\xffWPC', 'latin1')
/** Documents for DOS and Windows, and those for the Mac. Other types are graphics, macros, settings. */
const documentTypes: readonly (number | undefined)[] = [0x0a, 0x2c]

export const isWordPerfect = (head: Buffer): boolean =>
  head.length >= 16 && head.subarray(0, 4).equals(mark) && documentTypes.includes(head[9])

export const isWordPerfectLocked = (head: Buffer): boolean => head.readUInt16LE(12) !== 0
