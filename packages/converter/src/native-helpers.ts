import { openArtifact } from './artifact.ts'

/** The directory of the C helpers (native/). */
export const nativeHelpers = openArtifact(new URL('../native/build', import.meta.url))
