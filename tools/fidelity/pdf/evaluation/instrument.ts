import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

// Makes the named thresholds and the predicates of the engine variable while its sources are loaded, so that one
// process can evaluate the engine with each of them changed. Import this module before the engine.

export interface Threshold {
  /** Relative to `packages/pdf/src`. */
  file: string
  name: string
  value: number
  set(value: number): void
}

export const thresholds: Threshold[] = []
/** `file name` of every function that returns a boolean. */
export const predicates: string[] = []
const engine = globalThis as unknown as {
  registerThreshold(threshold: Threshold): void
  disabledPredicate: string | undefined
}
engine.registerThreshold = (threshold) => void thresholds.push(threshold)

/** A disabled predicate is false. */
export function disablePredicate(name: string | undefined): void {
  engine.disabledPredicate = name
}

const sources = `${resolve(import.meta.dirname, '../../../../packages/pdf/src')}/`
const threshold = /^(export )?const (\w+) = (-?\d[\d_]*(?:\.\d+)?(?:e-?\d+)?)$/gm
const declared = /^((?:export )?function (\w+)\([^{;]*?\): boolean \{)$/gm
const arrow =
  /^((?:export )?const (\w+) = \((?:(?!=>|\n\S)[^;])*?\): boolean =>)(?! \{)\s+((?:(?!\n\S|\n\n)[\s\S])*)/gm

function instrument(file: string, source: string): string {
  const isOff = (name: string): string => {
    predicates.push(`${file} ${name}`)
    return `globalThis.disabledPredicate === '${file} ${name}'`
  }
  return source
    .replace(
      threshold,
      (_, exported = '', name, value) =>
        `${exported}let ${name} = ${value}; globalThis.registerThreshold({ file: '${file}', name: '${name}', value: ${value}, set: (v) => { ${name} = v } })`,
    )
    .replace(declared, (_, head, name) => `${head} if (${isOff(name)}) return false`)
    .replace(arrow, (_, head, name, body) => `${head} ${isOff(name)} ? false : (${body})`)
}

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.startsWith('file:') || !fileURLToPath(url).startsWith(sources)) return loaded
    const file = fileURLToPath(url).slice(sources.length)
    return { ...loaded, source: instrument(file, String(loaded.source)) }
  },
})
