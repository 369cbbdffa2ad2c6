// @module-tag slow

import { writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { temporaryFolder } from '@kiln/test-support/client-service.ts'
import { expect, test } from 'vitest'
import { npmSettings } from './support/npm-settings.ts'
import { run } from './support/run.ts'

// The quick-start pages are followed with a separate home directory, as by a reader. npm must still use the registry of
// this machine, wherever it is configured.

const registry = 'http://registry.invalid:4873/'
const proxy = 'http://proxy.invalid:3128/'
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)

/** A machine with nothing set; `place` sets the registry. */
async function machine(place: (home: string) => Promise<NodeJS.ProcessEnv>): Promise<NodeJS.ProcessEnv> {
  const home = await temporaryFolder()
  return { PATH, HOME: home, ...(await place(home)) }
}

const write = async (path: string) => {
  await writeFile(path, `registry=${registry}\nhttps-proxy=${proxy}\n`)
  return path
}

test.for([
  ['the environment', async () => ({ npm_config_registry: registry, npm_config_https_proxy: proxy })],
  [
    'the environment, in capitals',
    async () => ({ NPM_CONFIG_REGISTRY: registry, NPM_CONFIG_HTTPS_PROXY: proxy }),
  ],
  [
    'the user’s file',
    async (home: string) => {
      await write(join(home, '.npmrc'))
      return {}
    },
  ],
  [
    'a file that the environment names',
    async (home: string) => ({ npm_config_userconfig: await write(join(home, 'other')) }),
  ],
  [
    'the machine’s file',
    async (home: string) => ({ npm_config_globalconfig: await write(join(home, 'global')) }),
  ],
] as const)('registry and proxy of %s are known in another home and prefix', async ([, place]) => {
  const settings = npmSettings(await machine(place))
  const elsewhere = await temporaryFolder()
  const env = { ...settings, PATH, HOME: elsewhere, npm_config_prefix: elsewhere }
  const printed = await run('npm', ['config', 'get', 'registry', 'https-proxy'], { cwd: elsewhere, env })
  expect(printed.stdout).toBe(`registry=${registry}\nhttps-proxy=${proxy}\n`)
})

test('the proxy that other programs read as well is kept', () => {
  const proxies = { HTTPS_PROXY: proxy, http_proxy: proxy, NO_PROXY: 'localhost' }
  expect(npmSettings({ PATH, ...proxies })).toMatchObject(proxies)
})
