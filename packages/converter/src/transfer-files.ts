import { randomUUID } from 'node:crypto'
import { constants, createReadStream, createWriteStream } from 'node:fs'
import { copyFile, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type HouseStyle, usesOfStyle } from './catalog/house-style.ts'
import type { Pair } from './catalog/pairs.ts'
import type { ConvertRequest } from './convert-file.ts'
import type { EngineRun } from './engines/engine.ts'

// Copies files into the scratch directory of a conversion, and out of it.

export async function fetchInput(input: ConvertRequest['input'], path: string): Promise<void> {
  if (typeof input === 'string') await copyFile(input, path, constants.COPYFILE_FICLONE)
  else await input(path)
}

export async function fetchStyle(
  { reference, css }: HouseStyle = {},
  pair: Pair,
  inFolder: string,
): Promise<EngineRun['style']> {
  const uses = usesOfStyle(pair)
  const style = uses.css && css !== undefined ? { css } : {}
  if (!uses.reference || reference === undefined) return style
  const referenceName = 'reference.docx'
  await writeFile(join(inFolder, referenceName), reference, { flag: 'wx', mode: 0o644 })
  return { ...style, referenceName }
}

const smallBytes = 4 * 1024 * 1024

export async function deliverOutput(
  path: string,
  bytes: number,
  output: ConvertRequest['output'],
): Promise<void> {
  if (typeof output !== 'string') {
    await output(path, bytes)
    return
  }
  // Written to a temporary name and renamed: a reader never sees half a file.
  const draft = `${output}.${randomUUID()}.part`
  try {
    // Not copyFile: root's copy would belong to the engine user. For a small file, setting up streams takes longer than copying.
    if (bytes <= smallBytes) await writeFile(draft, await readFile(path))
    else await pipeline(createReadStream(path), createWriteStream(draft))
    await rename(draft, output)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
