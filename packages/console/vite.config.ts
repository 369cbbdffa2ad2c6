import { defineConfig } from 'vite'

// The console. What the public pages load stands in pages/ and is served as it is.
export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'build',
    emptyOutDir: true,
    // Nothing is put into the page as text: the content policy allows files of our own only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
  },
})
