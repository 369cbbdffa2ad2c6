import { buildArtifact } from './build-artifact.mjs'

const directory = 'packages/converter/native'

/** The C helpers. Kiln works without them, slower. */
export const buildNativeHelper = () =>
  buildArtifact({
    name: 'native',
    description: 'the native helpers',
    directory,
    sources: ['Makefile', 'jail', 'launcher', 'office', 'pause-start', 'tesseract'].map(
      (name) => `${directory}/${name}`,
    ),
    result: 'kiln-jail',
    command: (target) => ['make', '-C', directory, `BUILD=${target}`],
    optional: true,
  })
