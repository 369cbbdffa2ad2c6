import { openSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The directory of a build artifact, for the life of this process. Set-up may switch the link `build` to another
 * version while the process runs (scripts/setup/build-artifact.mjs), so it is resolved once. The descriptor that stays
 * open shows set-up that this version is in use. Where there is no such artifact, the result is the path of the link.
 */
export function openArtifact(link: URL): string {
  const path = fileURLToPath(link)
  try {
    const version = realpathSync(path)
    openSync(version, 'r')
    return version
  } catch {
    // Callers check for the file that they need, and report a missing one.
    return path
  }
}
