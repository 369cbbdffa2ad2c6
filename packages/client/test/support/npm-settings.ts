import { execFileSync } from 'node:child_process'

/**
 * The settings that npm needs to reach the registry as this machine does, for programs with a separate environment and
 * home directory: registry, proxy and certificates, from the environment or from the files of the user and of the
 * machine. Both files are named, because npm looks for one in the home and for the other in the prefix.
 */
export function npmSettings(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      /^(npm_config_|(https?|all|no)_proxy$|NODE_EXTRA_CA_CERTS$|SSL_CERT_)/i.test(entry[0]) &&
      !/^npm_config_(.*prefix|userconfig|globalconfig|cache)$/i.test(entry[0]),
  )
  const ask = (name: string) =>
    execFileSync('npm', ['config', 'get', name], { env: environment, encoding: 'utf8' }).trim()
  return {
    ...Object.fromEntries(kept),
    npm_config_userconfig: ask('userconfig'),
    npm_config_globalconfig: ask('globalconfig'),
    npm_config_cache: ask('cache'),
  }
}
