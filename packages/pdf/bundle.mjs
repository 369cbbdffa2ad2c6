import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

// The program as two files for the box: Node strips and compiles a hundred small ones anew in every process, which
// costs more than converting a page.

const folder = dirname(fileURLToPath(import.meta.url))
const bundle = await rolldown({
  input: { main: join(folder, 'src/main.ts'), worker: join(folder, 'src/worker.ts') },
  platform: 'node',
})
await bundle.write({ dir: join(folder, 'build'), format: 'es', minify: true, entryFileNames: '[name].js' })
