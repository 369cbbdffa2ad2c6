// Written from the table of options by `npm run generate`.

/** Options of a conversion. `GET /v1/formats/{pair}` has those that a pair takes. */
export interface ConversionOptions {
  /** Only these pages of the PDF. Or: Pages or slides: one number gives a PNG file, a list or range a ZIP archive of PNG files. Or: Only these pages of the file. */
  pages?: string | undefined
  /** Resolution in dots per inch. */
  dpi?: number | undefined
  /** Password of the document; the output has none. Or: Password of the PDF; the output has none. */
  password?: string | undefined
  /** PDF/A, for archives, of this part and level. Or: Part and level of PDF/A: `u` has Unicode values for all characters, part 3 keeps attached files. */
  pdfa?: '1b' | '2b' | '3b' | '2u' | '3u' | undefined
  /** Accessible PDF (PDF/UA-1), with title, language and structure for screen readers. */
  pdfua?: boolean | undefined
  /** Tracked changes: shown with their marks, or left out as if accepted. Or: Tracked changes: accepted (`left-out`); insertions underlined and deletions struck through (`shown`); or rejected. */
  trackedChanges?: 'as-in-file' | 'shown' | 'left-out' | 'rejected' | undefined
  /** Comments: as PDF comments, in the margin, or left out. Or: Comments: as PDF comments, on a page after each sheet, or left out. Or: Comments: as PDF comments, or left out. */
  comments?: 'as-in-file' | 'shown' | 'left-out' | undefined
  /** Adds hidden slides, and a page of notes for each slide. Or: What to add to visible slides: hidden ones, notes below each, or (`shown`) neither. */
  slides?: readonly ('hidden' | 'notes')[] | readonly ('shown' | 'hidden' | 'notes')[] | undefined
  /** Print sheets as the file says, across pages, or fit them to the width of a page. */
  sheets?: 'as-in-file' | 'fit-width' | undefined
  /** The sheet, by name or number from 1. Or: Only this sheet, by name or number from 1. */
  sheet?: string | undefined
  /** Pictures: inside the file, or replaced by their description. Or: Pictures: inside the file, beside it in a ZIP archive, or replaced by their description. Or: Pictures, those of scanned pages included: inside the file, or left out. Or: Pictures: inside the file, beside it in a ZIP archive, replaced by empty images, or left out. */
  pictures?: 'embedded' | 'left-out' | 'beside' | 'marked' | undefined
  /** JPEG quality of pictures. Or: Quality of the picture, which is always encoded. */
  quality?: number | 'low' | 'medium' | 'high' | undefined
  /** Paper size. */
  pageSize?: 'A3' | 'A4' | 'A5' | 'Letter' | 'Legal' | undefined
  /** Landscape; A4 without `pageSize`. */
  landscape?: boolean | undefined
  /** Margin on all sides. */
  margin?: string | undefined
  /** Table of contents before the text. Or: Table of contents before the page. Or: Table of contents before the text; Word fills it in on opening. Or: Table of contents with links before the text; updating it in the word processor adds page numbers. */
  toc?: boolean | undefined
  /** Page numbers at the foot. Or: Page numbers at the foot, in the margin. */
  pageNumbers?: boolean | undefined
  /** Numbers headings: 1, 1.1, 1.2. */
  numberSections?: boolean | undefined
  /** Markdown dialect to read or write. */
  markdown?: 'gfm' | 'commonmark' | 'pandoc' | undefined
  /** OCR of scanned pages without text, never, or of every page in place of its text. Or: OCR gives scanned pages without text a searchable text layer. */
  ocr?: 'auto' | 'never' | 'always' | undefined
  /** Languages for OCR, by tesseract’s names; each must be installed. */
  languages?: readonly string[] | undefined
  /** Marks page breaks: `<!-- page 3 -->` in Markdown, an element with the id `page-3` in HTML, a bookmark `page_3` in Word. */
  pageMarks?: boolean | undefined
  /** Largest height in pixels; the picture is scaled down to it. */
  height?: number | undefined
  /** Largest size of the file; the picture is scaled down if needed. */
  maxBytes?: number | undefined
  /** Starts at this second of the source; the picture is then encoded. */
  start?: number | undefined
  /** Ends at this second of the source. */
  end?: number | undefined
  /** `false` leaves the sound out. */
  sound?: boolean | undefined
  /** Largest width in pixels; the picture is scaled down to it. */
  width?: number | undefined
  /** Largest number of frames per second. */
  framesPerSecond?: number | undefined
  /** Character encoding, by its name in the Encoding Standard or its code page. */
  encoding?: string | undefined
  /** Attachments: listed with names and sizes; or pictures, texts and e-mails also appended to the text. */
  attachments?: 'listed' | 'appended' | undefined
  /** Divides the text for retrieval into chunks of at most this many characters: at headings, else between paragraphs, lines, sentences. Each begins with a comment such as `<!-- chunk 3: Chapter > Section -->`. */
  chunkSize?: number | undefined
}
