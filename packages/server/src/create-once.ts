import { randomBytes } from 'node:crypto'
import { link, rm, writeFile } from 'node:fs/promises'

/** Creates a file for this user alone, complete from the start. The first process wins: link() fails for the others. */
export async function createOnce(path: string, content: string | Buffer): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  await writeFile(draft, content, { mode: 0o600 })
  try {
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
}
