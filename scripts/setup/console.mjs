import { buildArtifact, withRuntime } from './build-artifact.mjs'

const directory = 'packages/console'
const vite = 'node_modules/vite/bin/vite.js'

/** The web app and the operator console. The files of the server-rendered pages need no build. */
export const buildConsole = () =>
  buildArtifact({
    name: 'console',
    description: 'the web app and the console',
    directory,
    sources: [
      'packages/browser/src',
      ...['src', 'pages', 'app.html', 'index.html', 'vite.config.ts', 'package.json'].map(
        (name) => `${directory}/${name}`,
      ),
    ],
    result: 'app.html',
    command: (target) => withRuntime(vite, 'build', '--logLevel', 'warn', '--outDir', target, directory),
    env: { NODE_ENV: 'production' },
  })
