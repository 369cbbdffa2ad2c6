import { statSync } from 'node:fs'
import { buildArtifact, withRuntime } from './build-artifact.mjs'

const directory = 'packages/converter/native/stub-libraries'

/** Stub libraries in place of those of ffmpeg that no conversion uses; built again after an update of ffmpeg. */
export const buildStubLibraries = () => {
  const installed = statSync('/usr/bin/ffmpeg', { throwIfNoEntry: false })
  return (
    installed &&
    buildArtifact({
      name: 'stub-libraries',
      description: 'stub libraries for ffmpeg',
      directory,
      sources: [`${directory}/make.mjs`],
      inputs: [String(installed.size), String(installed.mtimeMs)],
      result: 'made-for',
      command: (target) => withRuntime(`${directory}/make.mjs`, target),
      optional: true,
    })
  )
}
