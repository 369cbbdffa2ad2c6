// `node scripts/release-notes.mjs v1.2.3` prints the changelog entry of that version, for the release of that tag. The
// tag, package.json and the changelog have to name the same version.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './setup/stamp.mjs'

const read = (path) => readFileSync(join(repository, path), 'utf8')

export function releaseNotes(tag, version, changelog) {
  if (tag !== `v${version}`) {
    throw new Error(
      `The tag is ${tag}, but package.json says ${version}. Set the version, then tag v${version}.`,
    )
  }
  const sections = changelog.split(/^## /m)
  const section = sections.find((text) => text.startsWith(`[${version}] - `))
  const [, ...lines] = section?.split('\n') ?? []
  // Links to versions are at the end of the file.
  const notes = lines.filter((line) => !/^\[[^\]]+\]: /.test(line)).join('\n')
  if (notes.trim() === '') throw new Error(`CHANGELOG.md has no notes under "## [${version}] - YYYY-MM-DD".`)
  return `${notes.trim()}\n`
}

if (process.argv[1] === import.meta.filename) {
  try {
    const { version } = JSON.parse(read('package.json'))
    process.stdout.write(releaseNotes(process.argv[2], version, read('CHANGELOG.md')))
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
