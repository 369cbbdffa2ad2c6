import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Document } from './convert-with-kiln.ts'

// Unmodified LibreOffice with the fonts and rules of the system. Each document gets its own process and profile: a
// process that converts many keeps the embedded fonts of earlier documents. Results are cached for the next run, under
// a name that depends on the document, the LibreOffice version and the system fonts.

const run = promisify(execFile)
const minutes = 10
const kept = resolve(import.meta.dirname, '../../../.setup/fidelity/stock')

export async function convertWithStock(documents: readonly Document[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await mkdir(kept, { recursive: true })
  const system = await describeSystem()
  for (const { id, path } of documents) {
    const key = createHash('sha256')
      .update(system)
      .update(await readFile(path))
      .digest('hex')
    const file = join(kept, `${key}.pdf`)
    try {
      if (!existsSync(file)) await convert(path, file)
      await copyFile(file, join(folder, `${id}.pdf`))
    } catch (error) {
      console.error(`${id}: ${error instanceof Error ? error.message : error}`)
    }
  }
}

async function describeSystem(): Promise<string> {
  const version = await run('soffice', ['--version'])
  const fonts = await run('fc-list', [':', 'file', 'fontversion'], { maxBuffer: 64 * 1024 * 1024 })
  return version.stdout + fonts.stdout.split('\n').sort().join('\n')
}

async function convert(path: string, file: string): Promise<void> {
  const place = await mkdtemp(join(tmpdir(), 'kiln-stock-'))
  const profile = `-env:UserInstallation=file://${place}/profile`
  try {
    await run('soffice', [profile, '--headless', '--convert-to', 'pdf', '--outdir', place, path], {
      timeout: minutes * 60_000,
      // A killed process removes nothing.
      env: { ...process.env, TMPDIR: place },
    })
    // Renamed only when it is complete: the folders may be on two file systems.
    await cp(join(place, `${basename(path, extname(path))}.pdf`), `${file}.part`)
    await rename(`${file}.part`, file)
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}
