import { buildArtifact, withRuntime } from './build-artifact.mjs'

/** The PDF engine as a bundle, which the service runs. */
export const bundlePdfEngine = () =>
  buildArtifact({
    name: 'pdf-engine',
    description: 'the bundle of the PDF engine',
    directory: 'packages/pdf',
    sources: ['src', 'bundle.mjs', 'package.json'].map((name) => `packages/pdf/${name}`),
    result: 'main.js',
    command: (target) => withRuntime('packages/pdf/bundle.mjs', target),
  })

/** Programs that open archives and e-mails in the sandbox, for the other engines. */
export const bundleSandboxedPrograms = () =>
  buildArtifact({
    name: 'sandboxed-programs',
    description: 'the programs that open archives and e-mails',
    directory: 'packages/converter/sandboxed-programs',
    sources: [
      'packages/converter/src',
      'packages/converter/sandboxed-programs/bundle.mjs',
      'packages/converter/package.json',
    ],
    result: 'open-archive.mjs',
    command: (target) => withRuntime('packages/converter/sandboxed-programs/bundle.mjs', target),
  })

/** Packages of the service that consist of hundreds of files. It works without the bundles, and starts slower. */
export const bundlePackages = () =>
  buildArtifact({
    name: 'packages',
    description: 'bundles of packages',
    directory: 'packages/server',
    sources: ['packages/server/bundle.mjs'],
    result: 'typebox.mjs',
    command: (target) => withRuntime('packages/server/bundle.mjs', target),
    optional: true,
  })
