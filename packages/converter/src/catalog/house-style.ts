import { isMail } from './opened-first.ts'
import type { Pair } from './pairs.ts'

// The house style of a caller applies to documents that Kiln itself lays out: plain-text formats without their own
// style. Office documents, web pages and mails keep their own style.

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
