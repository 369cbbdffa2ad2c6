import { chmod, chown, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineUser } from './engine-user.ts'

/** Makes a folder the engine user's own, closed to everybody else. */
export async function giveFolder(folder: string, user: EngineUser): Promise<void> {
  if (!(await lstat(folder)).isDirectory()) throw new Error(`${folder} is no folder.`)
  if (user.drop) await chown(folder, user.uid, user.gid)
  await chmod(folder, 0o700)
}

/** The same for a folder and the folders right below it. */
export async function giveFolders(folder: string, user: EngineUser): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await giveFolder(join(folder, entry.name), user)
  }
  await giveFolder(folder, user)
}
