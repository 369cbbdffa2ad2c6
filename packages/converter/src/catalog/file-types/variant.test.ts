import { compoundFile } from '@kiln/test-support/compound-file.ts'
import { expect, it } from 'vitest'
import { detectFileType } from './detect-file-type.ts'
import { readOleRoot } from './ole.ts'
import { uploadOf } from './upload.ts'
import { isPowerPoint95 } from './variant.ts'

const stream = Buffer.alloc(5000)

it.each([
  ['of PowerPoint 4', { PP40: stream }, true],
  ['of PowerPoint 95', { 'PowerPoint Document': stream, 'PersistentStorage Directory': stream }, true],
  ['of PowerPoint 97', { 'PowerPoint Document': stream, 'Current User': stream }, false],
  ['for PowerPoint 4 and 97', { 'PowerPoint Document': stream, PP40: stream }, false],
] as const)('tells a presentation %s from others', async (_, streams, isOld) => {
  const upload = uploadOf(compoundFile(streams))
  expect(await detectFileType(upload)).toMatchObject({ format: 'ppt' })
  expect(isPowerPoint95((await readOleRoot(upload)).streams)).toBe(isOld)
})
