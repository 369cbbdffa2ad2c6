import type { PdfDocument } from '../read/page.ts'
import type { Block } from './block.ts'

export function findHeadings(_blocks: readonly Block[], _pdf: PdfDocument): void {}
