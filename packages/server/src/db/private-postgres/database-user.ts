import { stat } from 'node:fs/promises'
import { ownerOrServiceUser, type SystemUser } from '../../system-user/passwd.ts'

// PostgreSQL refuses to run as root. The service never runs as root, but tests and measurements may; then the server
// runs as the owner of the directory, or else as the service's user. Other users run it as themselves.

/** The user to switch to, or undefined when the process's own user runs the server. */
export async function chooseDatabaseUser(postgresDir: string): Promise<SystemUser | undefined> {
  const ownUid = process.getuid?.()
  // The directory is missing at the first start.
  const owner = await stat(postgresDir).catch(() => undefined)
  if (ownUid === 0) return ownerOrServiceUser(owner)
  if (owner && ownUid !== undefined && owner.uid !== ownUid) {
    throw new Error(
      `The database folder ${postgresDir} belongs to user id ${owner.uid}, and this process runs as ${ownUid}. ` +
        'Start Kiln as that user or as root, or choose another data folder (KILN_DATA_DIR).',
    )
  }
  return undefined
}
