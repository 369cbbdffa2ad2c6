import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const run = promisify(execFile)
const kiln = useTestConverter()

test.each([
  ['Calibri', 'KilnSans1'],
  ['Consolas', 'KilnMono1'],
])('a page that asks for %s gets its substitute', async (font, substitute) => {
  const path = await kiln.convert(`<p style="font-family: ${font}">text</p>`, 'html', 'pdf')
  expect((await run('pdffonts', [path])).stdout).toContain(substitute)
})

test('formulas are set in a font with which parentheses grow', async () => {
  const path = await kiln.convert(String.raw`$$\begin{pmatrix}1\\2\end{pmatrix}$$`, 'md', 'pdf')
  const fonts = (await run('pdffonts', [path])).stdout.trim().split('\n').slice(2)
  expect(fonts).toEqual([expect.stringContaining('DejaVuMathTeXGyre')])
})
