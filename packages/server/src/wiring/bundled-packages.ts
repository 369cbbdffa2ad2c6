import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { openArtifact } from '@kiln/converter/artifact'
import '@kiln/converter/resolve-sources'

// Packages that consist of hundreds of small files are loaded as one file each, which set-up builds
// (packages/server/bundle.mjs): finding and compiling the small ones takes a third of a process's start time. Without
// the bundles the packages are loaded normally. Every entry point imports this file before anything that uses them.

const build = pathToFileURL(`${openArtifact(new URL('../../build', import.meta.url))}/`)

// Set-up does not change installed packages while a process has their directory open.
openArtifact(new URL('../../../../node_modules', import.meta.url))

/** Packages, and the files that they are bundled into. */
const bundles = {
  kysely: new URL('kysely.mjs', build),
  'kysely/migration': new URL('kysely-migration.mjs', build),
  'pg-boss': new URL('pg-boss.mjs', build),
  typebox: new URL('typebox.mjs', build),
}

const urls = new Map(Object.entries(bundles).map(([name, url]) => [name, url.href]))

if (Object.values(bundles).every((url) => existsSync(url)))
  registerHooks({
    resolve(specifier, context, next) {
      const url = urls.get(specifier)
      return url ? { url, format: 'module', shortCircuit: true } : next(specifier, context)
    },
  })
