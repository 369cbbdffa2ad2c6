import { defineConfig } from 'vite'

// The web app and the console. The files of the server-rendered pages are in pages/ and are served unchanged.
export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'build',
    emptyOutDir: true,
    rolldownOptions: { input: { index: 'packages/console/index.html', app: 'packages/console/app.html' } },
    // Nothing is put into the page as text: the content policy allows files of our own only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
  },
  worker: { format: 'es' },
})
