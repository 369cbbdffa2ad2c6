import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

// Programs of ours that read a user's file in the box, each as one file with all that it needs: the box then shows
// one folder, and Node has one file to compile.

const folder = dirname(fileURLToPath(import.meta.url))
const bundle = await rolldown({
  input: {
    'open-archive': join(folder, '../src/boxed/open-archive.ts'),
    'read-mail': join(folder, '../src/boxed/read-mail.ts'),
  },
  platform: 'node',
})
await rm(join(folder, 'build'), { recursive: true, force: true })
await bundle.write({
  ...{ dir: join(folder, 'build'), format: 'es', minify: true },
  // Node asks no package.json what kind of file they are.
  ...{ entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
})
