import { buildOnce, withRuntime } from './build-once.mjs'

const folder = 'packages/console'

/** The operator console. What the public pages load needs no build. */
export const buildConsole = () =>
  buildOnce({
    step: 'console',
    what: 'the console',
    sources: ['src', 'pages', 'index.html', 'vite.config.ts', 'package.json'].map(
      (name) => `${folder}/${name}`,
    ),
    result: `${folder}/build/index.html`,
    command: withRuntime('node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', folder),
    env: { NODE_ENV: 'production' },
  })
