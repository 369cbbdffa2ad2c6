import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

// Makes every named threshold of the engine variable while its sources are loaded, so that one process can evaluate
// the engine with each of them changed. Import this module before the engine.

export interface Threshold {
  /** Relative to `packages/pdf/src`. */
  file: string
  name: string
  value: number
  set(value: number): void
}

const sources = `${resolve(import.meta.dirname, '../../../../packages/pdf/src')}/`
const declaration = /^(export )?const (\w+) = (-?\d[\d_]*(?:\.\d+)?(?:e-?\d+)?)$/gm

export const thresholds: Threshold[] = []
Object.assign(globalThis, { registerThreshold: (threshold: Threshold) => thresholds.push(threshold) })

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.startsWith('file:') || !fileURLToPath(url).startsWith(sources)) return loaded
    const file = fileURLToPath(url).slice(sources.length)
    const source = String(loaded.source).replace(
      declaration,
      (_, exported = '', name, value) =>
        `${exported}let ${name} = ${value}; globalThis.registerThreshold({ file: '${file}', name: '${name}', value: ${value}, set: (v) => { ${name} = v } })`,
    )
    return { ...loaded, source }
  },
})
