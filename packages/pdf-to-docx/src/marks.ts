// Characters that stand for something that is no text, between stages. None of them reaches the output.

/** The page number and the number of pages, in running lines. */
export const pageMark = '\ue0f0'
export const pagesMark = '\ue0f1'
/** A form field that nobody has filled in; the field itself is in the style. */
export const emptyFieldMark = '\ue0f2'
