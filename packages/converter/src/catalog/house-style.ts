import { isMail } from './opened-first.ts'
import type { Pair } from './pairs.ts'

// A look of the caller's own, for what Kiln itself sets: documents that come as text and get their looks from us.
// What comes with looks of its own (office documents, web pages, mails on paper) keeps them.

export interface HouseStyle {
  /** A Word document whose styles, page and headers new ones take over. */
  reference?: Uint8Array
  /** Comes after our own style sheet, and so takes precedence over it. */
  css?: string
}

/** The parts of a house style that a pair uses. */
export function usesOfStyle({ engine, from, to }: Pair): Record<keyof HouseStyle, boolean> {
  const isPage = from === 'html' || isMail(from)
  return {
    reference: engine === 'pandoc' && to === 'docx',
    css:
      (engine === 'pandoc' && (to === 'html' || to === 'epub')) ||
      (engine === 'libreoffice' && (to === 'html' || to === 'epub')) ||
      (engine === 'chromium' && !isPage),
  }
}

export const maxReferenceBytes = 1024 * 1024
export const maxStyleSheetBytes = 64 * 1024
