import { gzipSync } from 'node:zlib'
import SevenZip from '7z-wasm'
import { expect, test } from 'vitest'
import { limitFileSystem } from './limit-file-system.ts'

test('unpacking stops at the limit when the archive declares less', async () => {
  const ignore = () => {}
  const module = await SevenZip({ print: ignore, printErr: ignore })
  // The size that a gzip file declares is that of its last member.
  const bomb = Buffer.concat([gzipSync(Buffer.alloc(3_000_000)), gzipSync('end')])
  module.FS.writeFile('/bomb.gz', bomb)
  const limited = limitFileSystem(module, { bytes: 1_000_000, entries: 10 })
  const unpack = () => {
    module.callMain(['x', '-o/out', '/bomb.gz'])
    limited.check()
  }
  expect(unpack).toThrow('more than')
  expect(module.FS.stat('/out/bomb').size).toBeLessThanOrEqual(1_000_000)
})
