import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const pathIn = (name: string): string => fileURLToPath(new URL(`../../../../${name}`, import.meta.url))
export const read = (name: string): string => readFileSync(pathIn(name), 'utf8')
