import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Document } from './convert-with-kiln.ts'

// LibreOffice as it comes, with the fonts and rules of the system. Each document gets a process and a profile of its
// own: one that converts many keeps the fonts that earlier documents bring.

const run = promisify(execFile)
const minutes = 10

export async function convertWithStock(documents: readonly Document[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const { id, path } of documents) {
    const place = await mkdtemp(join(tmpdir(), 'kiln-stock-'))
    const profile = `-env:UserInstallation=file://${place}/profile`
    try {
      await run('soffice', [profile, '--headless', '--convert-to', 'pdf', '--outdir', place, path], {
        timeout: minutes * 60_000,
      })
      await rename(join(place, `${basename(path, extname(path))}.pdf`), join(folder, `${id}.pdf`))
    } catch (error) {
      console.error(`${id}: ${error instanceof Error ? error.message : error}`)
    }
    await rm(place, { recursive: true, force: true })
  }
}
