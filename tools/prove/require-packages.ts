import { execFileSync } from 'node:child_process'

/** Exits with a message unless it runs as root and these Debian packages are installed. */
export function requirePackages(...packages: string[]): void {
  if (process.getuid?.() !== 0) fail('This makes whole systems and mounts them, so it has to run as root.')
  const missing = packages.filter((name) => !isInstalled(name))
  if (missing.length > 0) fail(`Install what is missing:\n\n  apt-get install ${missing.join(' ')}\n`)
}

function isInstalled(name: string): boolean {
  try {
    execFileSync('dpkg-query', ['--list', name], { stdio: 'ignore' })
    return true
  } catch {
    // dpkg-query fails for a package that is not installed.
    return false
  }
}

function fail(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
