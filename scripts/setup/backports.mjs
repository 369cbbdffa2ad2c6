import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './run.mjs'
import { say, warn } from './say.mjs'

// Debian 12 has LibreOffice 7.4; its backports have 25.2. The backports suite is added only when apt has
// nothing recent enough, under the address that this machine uses for Debian, so that mirrors keep working.

const FILE = '/etc/apt/sources.list.d/kiln-bookworm-backports.sources'
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'
const SUITE = 'bookworm-backports'

/** The release that holds a recent enough version, or undefined when the default one is to be taken. */
export async function releaseFor({ package: name, major }, codename, asAdmin, aptGet) {
  if (await hasCandidate(name, major)) return undefined
  if (codename !== 'bookworm') return undefined
  if (!(await knowsSuite())) {
    const uri = await debianAddress()
    if (!uri) return undefined
    say(`adding ${SUITE} for a current LibreOffice (${FILE})`)
    await writeAsAdmin(asAdmin, FILE, sourceStanza(uri))
    const update = await aptGet(['update'])
    if (!update.ok) {
      warn(`${SUITE} cannot be read at ${uri}; taking the LibreOffice of the release itself`)
      await asAdmin('rm', ['-f', FILE])
      await aptGet(['update'])
      return undefined
    }
  }
  const isThere = async () => (await versionsOf(name)).some((version) => majorOf(version) >= major)
  if (await isThere()) return SUITE
  // A set-up that was stopped may have added the suite and not have read it.
  await aptGet(['update'])
  return (await isThere()) ? SUITE : undefined
}

const hasCandidate = async (name, major) => {
  const { output } = await run('apt-cache', ['policy', name])
  return majorOf(/Candidate: (\S+)/.exec(output)?.[1] ?? '') >= major
}

const versionsOf = async (name) => {
  const { output } = await run('apt-cache', ['madison', name])
  return output.split('\n').map((line) => line.split('|')[1]?.trim() ?? '')
}

/** `4:25.2.3-2` is version 25. */
export const majorOf = (version) => Number.parseInt(version.replace(/^\d+:/, ''), 10) || 0

const indexTargets = async () => {
  const format = '$(REPO_URI) $(RELEASE)'
  const { output } = await run('apt-get', ['indextargets', '--format', format, 'Created-By: Packages'])
  return output.split('\n').map((line) => line.split(' '))
}

const knowsSuite = async () => (await indexTargets()).some(([, release]) => release === SUITE)
const debianAddress = async () => (await indexTargets()).find(([, release]) => release === 'bookworm')?.[0]

const sourceStanza = (uri) =>
  [
    '# Written by the set-up of Kiln, for a current LibreOffice.',
    'Types: deb',
    `URIs: ${uri}`,
    `Suites: ${SUITE}`,
    'Components: main',
    ...(existsSync(KEYRING) ? [`Signed-By: ${KEYRING}`] : []),
    '',
  ].join('\n')

export async function writeAsAdmin(asAdmin, path, text, mode = '0644') {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-setup-'))
  try {
    const draft = join(folder, 'draft')
    writeFileSync(draft, text)
    const result = await asAdmin('install', ['-D', '-m', mode, draft, path])
    if (!result.ok) throw new Error(`${path} could not be written: ${result.output}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
