import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

// Kiln's programs that read a user's file in the sandbox, each bundled into one file: the sandbox then mounts one
// directory, and Node compiles one file.

const folder = dirname(fileURLToPath(import.meta.url))
const bundle = await rolldown({
  input: {
    decrypt: join(folder, '../src/sandboxed-programs/decrypt.ts'),
    'open-archive': join(folder, '../src/sandboxed-programs/open-archive.ts'),
    'read-mail': join(folder, '../src/sandboxed-programs/read-mail.ts'),
  },
  platform: 'node',
})
await bundle.write({
  dir: process.argv[2] ?? join(folder, 'build'),
  format: 'es',
  minify: true,
  // With this extension Node reads no package.json to find the module type.
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
})
