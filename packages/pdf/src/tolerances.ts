// Tolerances that hold for all decisions. A rule has a number of its own only where one of these loses on documents
// that it was not written for.

/** Positions that were meant to be one differ by side bearings and by what programs round; in points. */
export const samePosition = 2
/** Rules that were meant to meet or to end together, and what stands on them; in points. */
export const meeting = 3
/** What programs round, in points. */
export const rounding = 0.5
/** Sizes of one text differ by rounding, as a share; what is smaller by more is smaller on purpose. */
export const sizeTolerance = 0.06
export const smallerSize = 1 - sizeTolerance
/** Fewer things may be alike or stand under each other by chance. */
export const minPattern = 3
/** As many where one of them may be an exception, and where each shows less. */
export const surePattern = 4
export const several = 5
/** Shares: too many for exceptions, more than the rest, clearly more than the rest, and all but exceptions. */
export const sizeableShare = 1 / 3
export const majority = 1 / 2
export const clearMajority = 2 / 3
export const nearlyAll = 0.8
/** A line of running text takes this share of its column at least, unless it is the last of a paragraph. */
export const fullLine = 0.7
/** From baseline to baseline, in ems. */
export const usualPitch = 1.2
/** Between words, in ems: in most fonts, and stretched as far as justified lines go. */
export const usualSpace = 0.25
export const widestSpace = 1.1
