import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { settings } from '../../src/config/settings.ts'

export const pathIn = (name: string): string => fileURLToPath(new URL(`../../../../${name}`, import.meta.url))
export const read = (name: string): string => readFileSync(pathIn(name), 'utf8')

const known = new Set([...settings.map(({ name }) => name), 'NODE_COMPILE_CACHE'])
export const unknownSettings = (names: readonly string[]): string[] =>
  names.filter((name) => !known.has(name))
