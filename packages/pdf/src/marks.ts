// Characters that stand for something that is no text, between stages. None of them reaches the output.

/** The page number and the number of pages, in running headers and footers. */
export const pageMark = '\ue0f0'
export const pagesMark = '\ue0f1'
/** An empty form field; the field itself is in the style. */
export const emptyFieldMark = '\ue0f2'

/** Where a word was broken at a line's end, if the result is to say so; PDFs' own are hyphens by then. */
export const breakMark = '\u00ad'
/** Where an address was cut without a hyphen: Word may cut it there again, as a zero width space lets it. */
export const cutMark = '\u200b'

/** Text of a PDF that holds one of them (icon fonts do) must not be taken for it. */
export const isMark = (code: number): boolean => code >= 0xe0f0 && code <= 0xe0f2
