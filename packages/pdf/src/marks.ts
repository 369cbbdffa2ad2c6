// Placeholder characters for content other than text, used between stages. None of them reaches the output.

/** The page number and the number of pages, in running headers and footers. */
export const pageMark = '\ue0f0'
export const pagesMark = '\ue0f1'
/** An empty form field; the field itself is in the style. */
export const emptyFieldMark = '\ue0f2'

/** Where a word was hyphenated at a line end, in Word; soft hyphens of the PDF have become hyphens before. */
export const breakMark = '\u00ad'
/** A point where a URL was broken without a hyphen; in Word, a zero-width space that permits a break. */
export const cutMark = '\u200b'

/** Text of a PDF that contains one of them (from icon fonts) must not be mistaken for a placeholder. */
export const isMark = (code: number): boolean => code >= 0xe0f0 && code <= 0xe0f2
