import { existsSync } from 'node:fs'

/** Ends the program with a line to paste unless it is root and Debian packages of these names have their programs. */
export function requirePrograms(...names: string[]): void {
  const isThere = (name: string) =>
    ['/usr/bin', '/usr/sbin'].some((folder) => existsSync(`${folder}/${name}`))
  const missing = names.filter((name) => !isThere(name))
  if (process.getuid?.() !== 0) fail('This makes whole systems and mounts them, so it has to run as root.')
  if (missing.length > 0) fail(`Install what is missing:\n\n  apt-get install ${missing.join(' ')}\n`)
}

function fail(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
