import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'

// Packages that are hundreds of small files load as one file each, which the set-up makes (packages/server/bundle.mjs):
// to find and compile the small ones takes a third of the time in which a process starts. Without the set-up they load
// as they are. Every entry point imports this before anything that uses them.

const build = new URL('../../build/', import.meta.url)

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
