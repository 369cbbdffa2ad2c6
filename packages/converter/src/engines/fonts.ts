import { existsSync } from 'node:fs'
import { join } from 'node:path'
import familyClasses from '../../fonts/family-classes.json' with { type: 'json' }
import table from '../../fonts/substitutes.json' with { type: 'json' }
import { openArtifact } from '../artifact.ts'
import type { SandboxSpec } from '../sandbox/sandbox.ts'

// The fonts that substitute Microsoft's fonts, and the fontconfig rules by which programs find them. The set-up builds
// them (packages/converter/fonts); without them programs get the system's fonts by the system's rules.

export const fontFolder = openArtifact(new URL('../../fonts/build', import.meta.url))
const areMade = existsSync(join(fontFolder, 'fonts.conf'))

const rules = (name: string) => (areMade ? join(fontFolder, name) : undefined)

export interface Fonts {
  /** They have the same path inside the sandbox as outside: the font cache is valid for that path only. */
  places: NonNullable<SandboxSpec['readOnly']>
  /** For `FONTCONFIG_FILE`. */
  rules: string | undefined
  rulesOfWord: string | undefined
  /** The rules in `rulesOfWord` that `rules` lacks, for a program that has read those already. */
  furtherRulesOfWord: string | undefined
}

export const ownFonts: Fonts = {
  places: [
    { from: '/etc/fonts', to: '/etc/fonts' },
    { from: '/var/cache/fontconfig', to: '/var/cache/fontconfig', optional: true },
    { from: fontFolder, to: fontFolder, optional: true },
  ],
  rules: rules('fonts.conf'),
  rulesOfWord: rules('word.conf'),
  furtherRulesOfWord: rules('word-rules.conf'),
}

/** The environment of a program that finds fonts by these rules. */
export const fontEnvironment = (file: string | undefined): Record<string, string> =>
  file === undefined ? {} : { FONTCONFIG_FILE: file }

export interface SubstituteFont {
  name: string
  /** The fonts that it substitutes. */
  for: readonly string[]
  /** Are its advance widths the same as those of the substituted font? */
  fit: 'same' | 'near'
  /** Under which name its widths and heights are listed. */
  metrics: string
  /** The free fonts out of which its faces are made. */
  bases: Readonly<Record<string, string>>
  eastAsian?: boolean
  symbols?: string
  /** Used for labels of list items in Word's documents, or for cells of Excel's, only. */
  variant?: 'label' | 'cells'
  /** Height of a line in cells, in ems. */
  cellLine?: number
}

export const substituteFonts: readonly SubstituteFont[] = table as readonly SubstituteFont[]

/** The family that replaces a missing font of this name; undefined when the name does not indicate its class. */
export function familyOfClass(name: string): string | undefined {
  const wanted = name.toLowerCase()
  const contains = (word: string) => wanted.includes(word.toLowerCase())
  return familyClasses.findLast(({ words }) => words.some(contains))?.family
}
