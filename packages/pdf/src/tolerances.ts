// Tolerances shared by all decisions. A rule has its own value only if one of these is worse on documents that the rule
// was not developed on.

/** Tolerance for equal positions: side bearings and rounding; in points. */
export const samePosition = 2
/** Tolerance for rules that meet or end together, and for text on them; in points. */
export const meeting = 3
/** Rounding errors of programs, in points. */
export const rounding = 0.5
/** Tolerance for font sizes of one text, as a share; a larger difference is intentional. */
export const sizeTolerance = 0.06
export const smallerSize = 1 - sizeTolerance
/** Fewer items may be equal or aligned by chance. */
export const minPattern = 3
/** The same if one may be an exception, and if each is weaker evidence. */
export const surePattern = 4
export const several = 5
/** Shares: too many to be exceptions, more than half, clearly more than half, and all except exceptions. */
export const sizeableShare = 1 / 3
export const majority = 1 / 2
export const clearMajority = 2 / 3
export const nearlyAll = 0.8
/** Minimum share of its column that a line of running text takes, unless it is the last of a paragraph. */
export const fullLine = 0.7
/** Minimum gap between columns of a table or of a page, wider than a word space; in ems. */
export const columnGap = 0.55
/** Maximum line pitch within a paragraph or a cell, and maximum distance of rows of a table; in ems. */
export const closeLines = 1.5
export const farthestRow = 2.6
/** Tolerance for indents and labels of one level, in points: labels may be right-aligned. */
export const sameIndent = 5
/** In characters: a longer line is running text, not a label or a heading of rows. */
export const shortLine = 60
/** Line pitch in ems. */
export const usualPitch = 1.2
/** Word space in ems: in most fonts, and the maximum in justified lines. */
export const usualSpace = 0.25
export const widestSpace = 1.1
