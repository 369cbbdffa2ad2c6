import { quarteredImage } from '@kiln/test-support/png.ts'
import { zip } from '@kiln/test-support/zip.ts'
import { expect, test } from 'vitest'
import type { TestPage } from './browsers.ts'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** Long to pack: a hundred numbers of every kind would be shorter. */
const large = zip([
  { name: 'numbers.txt', content: Array.from({ length: 1_000_000 }, (_, n) => n).join(' ') },
])

export function testControl(page: () => TestPage): void {
  test('an aborted conversion stops at once, and the next one runs', async () => {
    const outcome = await page().evaluate(`(async () => {
      const abort = new AbortController()
      const fractions = []
      const file = { name: 'a.zip', base64: '${base64(large)}' }
      const image = { name: 'b.png', base64: '${base64(quarteredImage())}' }
      const onProgress = (fraction) => { fractions.push(fraction); abort.abort(new Error('no longer wanted')) }
      const running = window.start([file], '7z', { signal: abort.signal, onProgress })
      const waiting = window.start([file], '7z', { signal: abort.signal })
      const next = window.start([image], 'jpg')
      const messages = await Promise.all([running, waiting].map((each) => each.then(() => 'done', (e) => e.message)))
      return [...messages, (await next).type, fractions.every((each) => each >= 0 && each <= 1)].join()
    })()`)
    expect(outcome).toBe('no longer wanted,no longer wanted,image/jpeg,true')
  })
}
