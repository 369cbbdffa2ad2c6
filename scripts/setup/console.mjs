import { buildArtifact, withRuntime } from './build-artifact.mjs'

const directory = 'packages/console'
const vite = 'node_modules/vite/bin/vite.js'

/** The operator console. What the public pages load needs no build. */
export const buildConsole = () =>
  buildArtifact({
    name: 'console',
    description: 'the console',
    directory,
    sources: ['src', 'pages', 'index.html', 'vite.config.ts', 'package.json'].map(
      (name) => `${directory}/${name}`,
    ),
    result: 'index.html',
    command: (target) => withRuntime(vite, 'build', '--logLevel', 'warn', '--outDir', target, directory),
    env: { NODE_ENV: 'production' },
  })
