import { onePage } from '@kiln/test-support/pdf-file.ts'
import { expect, test } from 'vitest'
import { someClient } from './accounts.ts'
import { askPoppler, runWith } from './options.ts'
import { requirement } from './requirements.ts'

const client = someClient()
const words = 'BT /F1 12 Tf 72 720 Td (Words to keep) Tj ET'
const page = (content: string, entries = '') => new Uint8Array(onePage(content, entries))

test(`${requirement('pairs.pdf-to-pdfa')} a PDF becomes PDF/A, and what cannot conform fails`, async () => {
  const plain = await client.convert('pdf-to-pdfa', page(words))
  const metadata = await askPoppler('pdfinfo', ['-meta'], plain)
  expect(metadata).toMatch(/<pdfaid:part>2<[\s\S]*<pdfaid:conformance>U</)
  // From stdin to stdout.
  expect(await askPoppler('pdftotext', ['-'], plain)).toContain('Words to keep')
  const chosen = await runWith(client, 'pdf-to-pdfa', page(words), { pdfa: '1b' })
  expect(chosen.error).toBeNull()
  const note = '/Annots [<< /Type /Annot /Subtype /Highlight /Rect [72 700 200 730] >>]'
  const refused = await runWith(client, 'pdf-to-pdfa', page(words, note), {})
  expect(refused.error).toMatch(
    /^unsupported: The PDF cannot become PDF\/A-2u: an annotation of the kind Highlight has no appearance/,
  )
})
