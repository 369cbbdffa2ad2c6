/** The visible content of a document. */
export interface Content {
  /** The visible text, in any order. */
  text: string
  /** Are there pictures, or drawings that are seen? */
  pictures?: boolean
  drawings?: boolean
  /** Parts may be hidden, so that the text does not prove that anything is seen. */
  mayBeHidden?: boolean
  /** Only some cells are printed, perhaps none of those with text. */
  hasPrintArea?: boolean
  /** The file contradicts itself: two programs may see different things in it. */
  isDamaged?: boolean
}
