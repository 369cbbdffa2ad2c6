import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'rolldown/parseAst'

// Makes every condition of the engine removable while its sources are loaded, so that one process can evaluate the
// engine without each of them. Import this module before the engine.

/** An operand of `&&` is removed by taking it as true, all other conditions by taking them as false. */
export interface Condition {
  /** Relative to `packages/pdf/src`. */
  file: string
  line: number
  kind: 'and' | 'or' | 'if' | 'choice'
  text: string
}

export const conditions: Condition[] = []

const engine = globalThis as unknown as {
  conditionValue(id: number, removed: boolean, value: unknown): unknown
}
let disabled = -1
let matters = new Uint8Array(0)
/** Without its condition a loop may never end. One that decides more often than this has failed. */
const mostDecisions = 5_000_000
let decisions = 0
engine.conditionValue = (id, removed, value) => {
  if (Boolean(value) === removed) return value
  matters[id] = 1
  if (id !== disabled) return value
  if (++decisions > mostDecisions) throw new Error('A loop does not end without its condition.')
  return removed
}

export function disableCondition(id: number | undefined): void {
  disabled = id ?? -1
  decisions = 0
}

/** Which conditions decided anything while `work` ran. */
export function decidingConditions(work: () => void): number[] {
  matters = new Uint8Array(conditions.length)
  work()
  return conditions.flatMap((_, id) => (matters[id] ? [id] : []))
}

const sources = `${resolve(import.meta.dirname, '../../../../packages/pdf/src')}/`
const stages = /^(?:lines|math|tables|layout|blocks|sections|page)\//

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

function instrument(file: string, source: string): string {
  const inserts: { at: number; text: string; order: number }[] = []
  const lineOf = (at: number): number => source.slice(0, at).split('\n').length
  const add = ({ start, end }: Node, kind: Condition['kind']): void => {
    const id = conditions.push({
      file,
      line: lineOf(start),
      kind,
      text: source.slice(start, end).replace(/\s+/g, ' '),
    })
    inserts.push(
      { at: start, text: `globalThis.conditionValue(${id - 1}, ${kind === 'and'}, (`, order: end - start },
      { at: end, text: '))', order: -(end - start) },
    )
  }
  const visit = (node: Node, parent?: Node): void => {
    if (node.type === 'LogicalExpression' && node.operator !== '??') {
      const kind = node.operator === '&&' ? 'and' : 'or'
      for (const side of [node.left, node.right] as Node[])
        if (side.type !== 'LogicalExpression' || side.operator !== node.operator) add(side, kind)
    }
    if (node.type === 'IfStatement' && !node.alternate && parent?.type !== 'IfStatement')
      add(node.test as Node, 'if')
    if (node.type === 'ConditionalExpression') add(node.test as Node, 'choice')
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (child && typeof child === 'object' && typeof (child as Node).type === 'string')
          visit(child as Node, node)
  }
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node)
  // At one place, what ends comes before what begins, and the widest begins first.
  inserts.sort((a, b) => a.at - b.at || Number(a.order > 0) - Number(b.order > 0) || b.order - a.order)
  let out = ''
  let from = 0
  for (const { at, text } of inserts) {
    out += source.slice(from, at) + text
    from = at
  }
  return out + source.slice(from)
}

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.startsWith('file:') || !fileURLToPath(url).startsWith(sources)) return loaded
    const file = fileURLToPath(url).slice(sources.length)
    if (!stages.test(file) || file.endsWith('.test.ts')) return loaded
    return { ...loaded, source: instrument(file, String(loaded.source)) }
  },
})
