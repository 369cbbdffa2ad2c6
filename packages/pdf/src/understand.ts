import { textSize } from './blocks/body-look.ts'
import { findCode, findFixed } from './blocks/code.ts'
import { findHeadings } from './blocks/headings.ts'
import { measurePitch } from './blocks/line-pitch.ts'
import { findLists } from './blocks/lists.ts'
import { settlePitch } from './blocks/spacing.ts'
import { learnVocabulary } from './blocks/vocabulary.ts'
import { layOutPages, linesOf } from './layout/pages.ts'
import type { PageLines } from './lines/lines.ts'
import type { PdfDocument } from './read/page.ts'
import { buildBands } from './sections/bands.ts'
import { pageFrames } from './sections/frames.ts'
import { joinColumns } from './sections/join-columns.ts'
import { takeNotes } from './sections/notes.ts'
import { buildRunning } from './sections/running-parts.ts'
import type { WordDocument } from './sections/section.ts'
import { buildSections } from './sections/sections.ts'
import { joinTables } from './sections/table-joins.ts'
import { fitFonts } from './set-width.ts'

/**
 * Converts lines on pages to a document. Stages do not modify what they read from the page; the blocks belong to the
 * document, and the stages after `buildBands` complete them. Words broken at line ends are joined; for Word, marks show
 * where they may break again.
 */
export function understand(pdf: PdfDocument, lines: readonly PageLines[], forWord = false): WordDocument {
  const textRuns = lines.flatMap((l) => l.textRuns)
  const laid = layOutPages(pdf, lines, forWord)
  const frames = pageFrames(laid.pages, laid.running.header)
  const context = {
    linePitch: measurePitch(laid.pages.flatMap((p) => linesOf(p.bands))),
    vocabulary: learnVocabulary(
      textRuns.map((p) => p.text),
      forWord,
    ),
    spacing: fitFonts(textRuns),
  }
  const built = buildBands(laid, frames, context, forWord)
  const notes = takeNotes(built, textSize(textRuns))
  const bands = joinColumns(built, context)
  const blocks = bands.flatMap((b) => b.blocks)
  findCode(findLists(findHeadings(findFixed(settlePitch(blocks)), pdf)))
  return {
    sections: joinTables(buildSections(bands)),
    running: buildRunning({
      header: laid.running.header,
      footer: laid.running.footer,
      frames,
      context,
      rules: laid.pages.map((p) => p.rules),
      pictures: laid.ornaments,
    }),
    notes,
    properties: pdf.properties,
    remarks: remarksOn(pdf, lines),
    spacing: context.spacing,
  }
}

/** Remarks for the reader about how the document was produced. */
function remarksOn(pdf: PdfDocument, lines: readonly PageLines[]): string[] {
  const pages = (count: number): string => (count === 1 ? 'one page' : `${count} pages`)
  const out: string[] = []
  if (pdf.recognised > 0)
    out.push(`The text of ${pages(pdf.recognised)} was recognised from pictures and may hold errors.`)
  const unread = pdf.pages.filter((p, i) => p.scan && lines[i]?.textRuns.length === 0).length
  if (unread > 0) out.push(`On the picture of ${pages(unread)} no text could be recognised.`)
  return out
}
