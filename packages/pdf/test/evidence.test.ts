import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeEvidence } from '../evidence/documents.ts'
import { type Printer, print } from '../evidence/print.ts'
import { type EvidenceScore, scoreEvidence } from '../evidence/score.ts'
import { convertPdf } from '../src/convert.ts'

// The gate against regressions: documents whose truth is known, printed by the programs that print most PDFs here.

const seeds = { chromium: [1, 2, 3, 4, 5], libreoffice: [6] } as const
/** Columns that LibreOffice prints close together are still taken for one, so its cells are not asked for. */
const parts = {
  chromium: ['headings', 'items', 'cells', 'code', 'paragraphs'],
  libreoffice: ['headings', 'items', 'code', 'paragraphs'],
} as const

async function measure(printer: Printer, seed: number): Promise<EvidenceScore> {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-evidence-'))
  try {
    const truth = makeEvidence(seed)
    const html = join(folder, 'document.html')
    writeFileSync(html, truth.html)
    const markdown = await convertPdf(readFileSync(print(printer, html, folder)), 'md')
    return scoreEvidence(truth, Buffer.from(markdown).toString('utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe('documents whose truth is known', () => {
  it.each(['chromium', 'libreoffice'] as const)(
    'come back from what %s prints',
    { timeout: 180_000 },
    async (printer) => {
      for (const seed of seeds[printer]) {
        const score = await measure(printer, seed)
        for (const part of parts[printer]) expect(score[part], `${part}, seed ${seed}`).toBe(1)
      }
    },
  )
})
