import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

// Programs of ours that read a user's file in the box, each as one file with all that it needs: the box then shows
// one folder, and Node has one file to compile.

const folder = dirname(fileURLToPath(import.meta.url))
const bundle = await rolldown({
  input: { 'open-archive': join(folder, '../src/boxed/open-archive.ts') },
  platform: 'node',
})
await bundle.write({ dir: join(folder, 'build'), format: 'es', minify: true, entryFileNames: '[name].mjs' })
