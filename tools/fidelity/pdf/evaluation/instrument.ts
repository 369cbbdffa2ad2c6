import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'rolldown/parseAst'

// Instruments every condition and function of the engine while its sources are loaded, so that one process can evaluate
// the engine without each of them. Import this module before the engine.

/** A removed function does nothing: it returns its first argument or one of these values. */
type Replacement = 'first argument' | 'nothing' | 'no elements' | 'true' | 'false'

/** An operand of `&&` is removed by replacing it with true, all other conditions by replacing them with false. */
export interface Condition {
  /** Relative to `packages/pdf/src`. */
  file: string
  line: number
  kind: 'and' | 'or' | 'if' | 'choice' | Replacement
  text: string
}

export const conditions: Condition[] = []

const engine = globalThis as unknown as {
  conditionValue(id: number, removed: boolean, value: unknown): unknown
  functionValue(ids: readonly number[], argument: unknown, run: () => unknown): unknown
}
let disabled = -1
let matters = new Uint8Array(0)
/** Without its condition a loop may never end. More evaluations than this count as a failure. */
const maxDecisions = 5_000_000
let decisions = 0
engine.conditionValue = (id, removed, value) => {
  if (Boolean(value) === removed) return value
  matters[id] = 1
  if (id !== disabled) return value
  if (++decisions > maxDecisions) throw new Error('A loop does not end without its condition.')
  return removed
}

engine.functionValue = (ids, argument, run) => {
  const own = ids.includes(disabled) ? replacementOf(disabled, argument) : undefined
  if (own && ++decisions > maxDecisions) throw new Error('A loop does not end without its function.')
  if (own) return own.value
  const value = run()
  for (const id of ids) if (!matters[id] && !isSame(value, replacementOf(id, argument).value)) matters[id] = 1
  return value
}

function replacementOf(id: number, argument: unknown): { value: unknown } {
  switch (conditions[id]?.kind) {
    case 'first argument':
      return { value: argument }
    case 'no elements':
      return { value: [] }
    case 'true':
      return { value: true }
    case 'false':
      return { value: false }
    default:
      return { value: undefined }
  }
}

const isSame = (a: unknown, b: unknown): boolean =>
  a === b ||
  (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => item === b[i]))

export function disableCondition(id: number | undefined): void {
  disabled = id ?? -1
  decisions = 0
}

/** The conditions that decided anything while `work` ran. */
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

const nameOf = (node: Node): string => ((node.id as Node | undefined)?.name as string) ?? ''

/** By the declared type of the result. */
function replacementsOf(source: string, node: Node): Replacement[] {
  const result = node.returnType as Node | undefined
  if (!result || node.generator || node.async) return []
  const typeOf = ({ start, end }: Node): string =>
    source
      .slice(start, end)
      .replace(/^\s*:\s*/, '')
      .replace(/\breadonly /g, '')
  const type = typeOf(result)
  const [first] = node.params as Node[]
  const given =
    first?.type === 'Identifier' && first.typeAnnotation ? typeOf(first.typeAnnotation as Node) : ''
  if (type === 'boolean' || / is /.test(type)) return ['true', 'false']
  if (type === given) return ['first argument']
  if (type.endsWith('[]')) return ['no elements']
  return type === 'void' || /\bundefined\b/.test(type) ? ['nothing'] : []
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
  const addFunction = (node: Node, name: string): void => {
    const replacements = replacementsOf(source, node)
    if (replacements.length === 0) return
    const ids = replacements.map(
      (kind) => conditions.push({ file, line: lineOf(node.start), kind, text: name }) - 1,
    )
    const [first] = node.params as Node[]
    const argument = first?.type === 'Identifier' ? (first.name as string) : 'undefined'
    const call = `globalThis.functionValue([${ids.join()}], ${argument}, () => `
    const body = node.body as Node
    const isBlock = body.type === 'BlockStatement'
    inserts.push(
      { at: body.start, text: isBlock ? `{ return ${call}` : `${call}(`, order: body.end - body.start + 0.5 },
      { at: body.end, text: isBlock ? ') }' : '))', order: -(body.end - body.start + 0.5) },
    )
  }
  const visit = (node: Node, parent?: Node): void => {
    if (node.type === 'FunctionDeclaration' && node.body) addFunction(node, nameOf(node))
    if (node.type === 'ArrowFunctionExpression' && parent?.type === 'VariableDeclarator')
      addFunction(node, nameOf(parent))
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
  // At one position, ends come before starts, and the widest starts first.
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
