import { defineConfig } from 'vite'

// Two entries: the console (index.html) and what the server-rendered public pages load. The server finds the
// files of the second by the manifest.
export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'build',
    emptyOutDir: true,
    manifest: 'manifest.json',
    // Nothing is put into the page as text: the content policy allows files of our own only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    rollupOptions: { input: ['index.html', 'src/public/main.ts'] },
  },
})
