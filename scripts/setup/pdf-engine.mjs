import { buildOnce, withRuntime } from './build-once.mjs'

const folder = 'packages/pdf'

/** The PDF engine as a bundle, which is all that the service starts. */
export const bundlePdfEngine = () =>
  buildOnce({
    step: 'pdf-engine',
    what: 'the bundle of the PDF engine',
    sources: ['src', 'bundle.mjs', 'package.json'].map((name) => `${folder}/${name}`),
    result: `${folder}/build/main.js`,
    command: withRuntime(`${folder}/bundle.mjs`),
  })
