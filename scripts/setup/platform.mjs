// Which packages of the lockfile belong on this machine. Compiled programs come as one optional package per platform;
// `os`, `cpu` and `libc` give the platform.

/** Where Kiln is developed and run. The lockfile holds every platform package of all of them. */
export const platforms = [
  { os: 'linux', cpu: 'x64', libc: 'glibc' },
  { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'darwin', cpu: 'arm64' },
]

export const thisPlatform = () => ({
  os: process.platform,
  cpu: process.arch,
  ...(process.platform === 'linux' && { libc: usesGlibc() ? 'glibc' : 'musl' }),
})

function usesGlibc() {
  // Without this the report looks up the name of every open connection.
  process.report.excludeNetwork = true
  return process.report.getReport().header.glibcVersionRuntime !== undefined
}

/** Does a package of the lockfile belong on this platform? One that names no platform belongs on all. */
export const belongsOn = (platform, entry) =>
  allows(entry.os, platform.os) && allows(entry.cpu, platform.cpu) && allows(entry.libc, platform.libc)

function allows(list, value) {
  if (list === undefined || value === undefined) return true
  const names = [list].flat()
  const refused = names.filter((name) => name.startsWith('!'))
  if (refused.includes(`!${value}`)) return false
  return refused.length === names.length || names.includes(value) || names.includes('any')
}
