import { join } from 'node:path'
import { archives, baseUrl, newKey, temporaryFolder } from '@kiln/test-support/client-service.ts'
import { beforeAll, expect } from 'vitest'
import { type Ran, type RunOptions, run } from './run.ts'

// The `kiln` program as a user has it: installed from its package, with a separate folder and home directory.

export interface InstalledCli {
  /** Where the commands run. */
  folder: string
  /** Folder of the program, for the PATH of shells. */
  bin: string
  key: string
  env: Record<string, string>
  kiln(args: readonly string[], options?: RunOptions): Promise<Ran>
}

export function useInstalledCli(): InstalledCli {
  const cli = {} as InstalledCli
  beforeAll(async () => {
    const prefix = await temporaryFolder()
    const folder = await temporaryFolder()
    const key = await newKey()
    const installed = await run('npm', ['install', '-g', '--offline', '--prefix', prefix, archives.client])
    expect(installed.code, installed.stderr).toBe(0)
    const bin = join(prefix, 'bin')
    const env = {
      KILN_URL: baseUrl,
      KILN_API_KEY: key,
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, '.config'),
      PATH: `${bin}:${process.env.PATH}`,
    }
    Object.assign(cli, {
      folder,
      bin,
      key,
      env,
      kiln: (args: readonly string[], options: RunOptions = {}) =>
        run(join(bin, 'kiln'), args, { cwd: folder, ...options, env: { ...env, ...options.env } }),
    } satisfies InstalledCli)
  })
  return cli
}
