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

/** Programs that open archives and mails in the box, for the other engines. */
export const bundleBoxedPrograms = () =>
  buildOnce({
    step: 'boxed-programs',
    what: 'the programs that open archives and mails',
    sources: [
      'packages/converter/src',
      'packages/converter/boxed/bundle.mjs',
      'packages/converter/package.json',
    ],
    result: 'packages/converter/boxed/build/open-archive.mjs',
    command: withRuntime('packages/converter/boxed/bundle.mjs'),
  })

/** Packages of the service that are hundreds of files. It works without, and starts slower. */
export const bundlePackages = () =>
  buildOnce({
    step: 'packages',
    what: 'bundles of packages',
    sources: ['packages/server/bundle.mjs'],
    result: 'packages/server/build/typebox.mjs',
    command: withRuntime('packages/server/bundle.mjs'),
    optional: true,
  })
