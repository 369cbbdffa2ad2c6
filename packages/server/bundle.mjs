import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

// Packages that are hundreds of small files, as one file each; src/wiring/bundled-packages.ts says why.

const folder = dirname(fileURLToPath(import.meta.url))
const bundle = await rolldown({
  input: {
    kysely: 'kysely',
    'kysely-migration': 'kysely/migration',
    'pg-boss': 'pg-boss',
    typebox: 'typebox',
  },
  // The service uses it too, and both have to mean the same.
  external: ['pg'],
  platform: 'node',
  cwd: folder,
})
await bundle.write({
  dir: process.argv[2] ?? join(folder, 'build'),
  format: 'es',
  entryFileNames: '[name].mjs',
})
