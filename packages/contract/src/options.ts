// Written from the table of options by `npm run generate`.

/** Options of a conversion. `GET /v1/formats/{pair}` has those that a pair takes. */
export interface ConversionOptions {
  /** Only these pages of the PDF. Or: The pages or slides: one number gives a PNG file; a list or a range gives a ZIP archive with a PNG file for each. Or: Only these pages of the file. */
  pages?: string | undefined
  /** Resolution of the picture, in dots per inch. */
  dpi?: number | undefined
  /** The password that opens the document; the output has none. Or: The password that opens the PDF; the output has none. */
  password?: string | undefined
  /** A PDF for archives, PDF/A of this part and level: fonts embedded, colours defined. Or: The part and level of PDF/A: with `u` every character has a Unicode value, part 3 keeps attached files. */
  pdfa?: '1b' | '2b' | '3b' | '2u' | '3u' | undefined
  /** A PDF that declares itself accessible (PDF/UA-1), with title, language and structure for screen readers. */
  pdfua?: boolean | undefined
  /** Tracked changes: shown with their marks, or left out, as if all were accepted. Or: Tracked changes: left out, as if all were accepted; shown, insertions underlined and deletions struck through; or rejected. */
  trackedChanges?: 'as-in-file' | 'shown' | 'left-out' | 'rejected' | undefined
  /** Comments: as comments of the PDF, shown in the margin, or left out. Or: Comments: as comments of the PDF, shown on a page after each sheet, or left out. Or: Comments: as comments of the PDF, or left out. */
  comments?: 'as-in-file' | 'shown' | 'left-out' | undefined
  /** What comes besides the slides that are shown: hidden ones, and a page of notes for each. Or: What comes besides the slides that are shown: hidden ones, and the notes below each; only `shown` gives neither. */
  slides?: readonly ('hidden' | 'notes')[] | readonly ('shown' | 'hidden' | 'notes')[] | undefined
  /** Sheets: printed as the file says, though they may be cut across pages, or each as wide as its page. */
  sheets?: 'as-in-file' | 'fit-width' | undefined
  /** The sheet, by its name or by its number from 1. Or: Only this sheet, by its name or by its number from 1. */
  sheet?: string | undefined
  /** Pictures: inside the file, or left out, replaced by their description. Or: Pictures: inside the file, as files beside it in a ZIP archive, or left out, replaced by their description. Or: Pictures: inside the file, or left out; a scanned page is then its text alone. Or: Pictures: inside the file, as files beside it in a ZIP archive, replaced by empty images, or left out. */
  pictures?: 'embedded' | 'left-out' | 'beside' | 'marked' | undefined
  /** Quality of pictures, from 1 (small) to 100. Or: How much of the picture is kept: `low` makes the smallest file; the picture is always re-encoded. */
  quality?: number | 'low' | 'medium' | 'high' | undefined
  /** The paper. */
  pageSize?: 'A3' | 'A4' | 'A5' | 'Letter' | 'Legal' | undefined
  /** The paper is turned; it is A4 unless `pageSize` names another. */
  landscape?: boolean | undefined
  /** The margin on all four sides, with its unit. */
  margin?: string | undefined
  /** A table of contents before the text, however short the text is. Or: A table of contents before the page, made of its headings. Or: A table of contents before the text, made of its headings. Or: A table of contents before the text; Word fills it in when it opens the document. Or: A table of contents before the text, with links; updating it in the word processor adds the numbers of the pages. */
  toc?: boolean | undefined
  /** The number of the page at its foot. Or: The number of the page at its foot, in the margin. */
  pageNumbers?: boolean | undefined
  /** Headings are numbered: 1, 1.1, 1.2. */
  numberSections?: boolean | undefined
  /** The kind of Markdown that is read or written: that of GitHub, CommonMark, or pandoc’s own. */
  markdown?: 'gfm' | 'commonmark' | 'pandoc' | undefined
  /** Text recognition: of scanned pages without text, never, or of every page in place of its text. Or: Text recognition: scanned pages without text get an invisible text layer, so that they can be searched; or never. */
  ocr?: 'auto' | 'never' | 'always' | undefined
  /** The languages of the text that is recognised, by the names of tesseract; each must be installed. */
  languages?: readonly string[] | undefined
  /** Marks where each page of the PDF began: a comment such as `<!-- page 3 -->` in Markdown, an element with the id `page-3` in HTML, a bookmark `page_3` in Word. */
  pageMarks?: boolean | undefined
  /** The picture is scaled down to this height in pixels, its width with it; a lower one stays as it is. */
  height?: number | undefined
  /** The largest size of the file in bytes; the picture is scaled down if needed. */
  maxBytes?: number | undefined
  /** The video starts at this second of the source. */
  start?: number | undefined
  /** The video ends at this second of the source. */
  end?: number | undefined
  /** `false` leaves the sound out. */
  sound?: boolean | undefined
  /** The picture is scaled down to this width in pixels, its height with it; a narrower one stays as it is. */
  width?: number | undefined
  /** The largest number of frames per second. */
  framesPerSecond?: number | undefined
  /** The character encoding of the file, by its name in the Encoding Standard or its code page. */
  encoding?: string | undefined
  /** Attachments: listed with their names and sizes, or also appended after the text; pictures, texts and e-mails can be. */
  attachments?: 'listed' | 'appended' | undefined
  /** For retrieval: divides the text into chunks of at most this many characters, at headings if possible, then between paragraphs, lines and sentences. A comment such as `<!-- chunk 3: Chapter > Section -->` begins each. */
  chunkSize?: number | undefined
}
