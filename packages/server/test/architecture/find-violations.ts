import { posix } from 'node:path'
import { doors, textRules, units, wiring } from './import-table.ts'

const houses = /^packages\/(?:server|converter)\/src\//

export interface SourceFile {
  /** From the repository's root. */
  readonly path: string
  readonly text: string
}

/** Every violation of the tables, as a sentence each. Tests and contract suites may import the code that they test. */
export function findViolations(files: readonly SourceFile[]): string[] {
  const sources = files.filter(({ path }) => !/\.(test|contract)\.ts$/.test(path))
  return sources.flatMap((file) => {
    const bare: SourceFile = { path: file.path, text: withoutComments(file.text) }
    return [...importViolations(bare), ...textViolations(bare)]
  })
}

function importViolations({ path, text }: SourceFile): string[] {
  if (!houses.test(path)) return []
  const from = unitOf(path)
  if (from === undefined) return [`${path} belongs to no unit: add it to the import table`]
  return importsIn(text).flatMap((specifier) => {
    const to = targetUnit(path, specifier)
    if (to === undefined || to === from) return []
    if (from === 'wiring' && !to.startsWith('packages/')) return []
    if (units[from]?.mayImport.includes(to)) return []
    return [`${path} imports ${specifier}: ${from} may not import ${to}`]
  })
}

function textViolations({ path, text }: SourceFile): string[] {
  return textRules
    .filter(
      (rule) => path.startsWith(rule.appliesTo) && !rule.allowedIn.some((place) => path.startsWith(place)),
    )
    .filter((rule) => rule.pattern.test(text))
    .map((rule) => `${path}: ${rule.name}`)
}

/** Packages of others are free to use; ours are in the table, each house behind its own doors. */
function targetUnit(path: string, specifier: string): string | undefined {
  if (specifier in doors) return doors[specifier]
  // A table as JSON is data, and imports nothing.
  if (!specifier.startsWith('.') || specifier.endsWith('.json')) return undefined
  const target = posix.join(posix.dirname(path), specifier)
  // A unit outside of both houses is known by its name as well.
  const isBehindDoors = houseOf(target) !== undefined && houseOf(target) !== houseOf(path)
  return isBehindDoors ? target : (unitOf(target) ?? target)
}

const houseOf = (path: string): string | undefined => houses.exec(path)?.[0]

function unitOf(path: string): string | undefined {
  let best: { name: string; length: number } | undefined
  for (const [name, unit] of Object.entries(units)) {
    for (const prefix of unit.paths) {
      if (path.startsWith(prefix) && prefix.length > (best?.length ?? 0))
        best = { name, length: prefix.length }
    }
  }
  // A file that is a unit is not wiring, even if a pattern matches it.
  const ownFile = best?.length === path.length
  return !ownFile && wiring.some((pattern) => matches(pattern, path)) ? 'wiring' : best?.name
}

const matches = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`).test(path)

export function importsIn(text: string): string[] {
  const pattern = /\bfrom\s+['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]/gm
  return [...text.matchAll(pattern)].flatMap((match) => match[1] ?? match[2] ?? match[3] ?? [])
}

/** Lines of comment, and comments behind code. `://` inside a string is no comment. */
const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|[^:'"`])\/\/.*$/gm, '$1')
