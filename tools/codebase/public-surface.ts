import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RunningService } from '@kiln/test-support/start-service.ts'

// `npm run public-surface [-- REPOSITORY]`: everything that users and operators rely on, one line each, in order, so that
// `diff` compares two checkouts (without descriptions, which may be reworded): operations, pairs, options, fields of requests and responses, settings, metrics, the
// exports of the client library, and both command lines. It starts the service of that checkout, which has to be set up.

const repository = resolve(process.argv[2] ?? join(import.meta.dirname, '../..'))
const lines: string[] = []
const add = (kind: string, ...rest: string[]) => lines.push([kind, ...rest].join('  '))

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
type JsonObject = { [name: string]: Json }

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every field of a schema by its path, with its type or its values. */
function addFields(kind: string, path: string, schema: Json | undefined): void {
  if (!isObject(schema)) return
  const type = schema.enum ?? schema.const ?? schema.type ?? schema.$ref
  if (type !== undefined) add(kind, path, JSON.stringify(type))
  for (const [name, field] of Object.entries((schema.properties as JsonObject | undefined) ?? {}))
    addFields(kind, `${path}.${name}`, field)
  addFields(kind, `${path}[]`, schema.items)
  for (const union of ['anyOf', 'oneOf', 'allOf'])
    for (const each of (schema[union] as Json[] | undefined) ?? []) addFields(kind, path, each)
}

const getJson = async (url: string): Promise<JsonObject> => (await (await fetch(url)).json()) as JsonObject

async function addInterface(baseUrl: string): Promise<void> {
  const { paths, components } = await getJson(`${baseUrl}/openapi.json`)
  for (const [path, operations] of Object.entries(paths as JsonObject))
    for (const [method, operation] of Object.entries(operations as JsonObject)) {
      // A path also has entries that are no operation, such as its own servers.
      if (!isObject(operation) || operation.responses === undefined) continue
      const { parameters, requestBody, responses } = operation
      const name = `${method.toUpperCase()} ${path}`
      add('operation', name, Object.keys(responses as JsonObject).join(' '))
      for (const parameter of (parameters ?? []) as JsonObject[])
        add('parameter', name, `${parameter.in} ${parameter.name}`)
      addContent('request', name, requestBody)
      for (const [status, response] of Object.entries(responses as JsonObject))
        addContent('response', `${name} ${status}`, response)
    }
  const { schemas } = components as JsonObject
  for (const [name, schema] of Object.entries((schemas ?? {}) as JsonObject))
    addFields('schema', name, schema)
}

function addContent(kind: string, name: string, message: Json | undefined): void {
  if (!isObject(message) || !isObject(message.content)) return
  for (const [type, content] of Object.entries(message.content))
    addFields(kind, `${name} ${type}`, (content as JsonObject).schema)
}

const withoutTexts = ({ title, description, ...rest }: JsonObject): JsonObject => rest

async function addPairs(baseUrl: string): Promise<void> {
  const { pairs } = await getJson(`${baseUrl}/v1/formats`)
  for (const { pair } of pairs as { pair: string }[]) {
    const { options, ...facts } = await getJson(`${baseUrl}/v1/formats/${pair}`)
    add('pair', JSON.stringify(facts))
    for (const [name, schema] of Object.entries(((options as JsonObject)?.properties ?? {}) as JsonObject))
      add('option', pair, name, JSON.stringify(withoutTexts(schema as JsonObject)))
  }
}

async function addMetrics(origin: string): Promise<void> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  for (const line of text.split('\n').filter((each) => each.startsWith('# TYPE')))
    add('metric', line.slice(7))
}

/** A test of the repository makes sure that every setting has its row. */
function addSettings(): void {
  const page = readFileSync(join(repository, 'docs/configuration.md'), 'utf8')
  for (const [, name = '', value = ''] of page.matchAll(/^\| `([A-Z0-9_]+)` \| (.*?) \|/gm))
    add('setting', name, value)
}

/** The help of a program and of each of its commands. */
function addCommandLine(name: string, program: string, command: readonly string[] = []): void {
  const text = execFileSync(join(repository, 'node_modules/.bin/node'), [program, ...command, '--help'], {
    cwd: repository,
    encoding: 'utf8',
  })
  for (const line of text.split('\n').filter((each) => /^ +(-|\w)/.test(each)))
    add(name, command.join(' '), line.trim().split(/ {2,}/)[0] ?? '')
  const listed = /^Commands:\n((?: .*\n)+)/m.exec(text)?.[1] ?? ''
  for (const [, next = ''] of listed.matchAll(/^ {2}([a-z][a-z-]*)/gm))
    if (next !== 'help') addCommandLine(name, program, [...command, next])
}

async function addService(): Promise<void> {
  const module = pathToFileURL(join(repository, 'packages/test-support/src/start-service.ts')).href
  const { startService } = (await import(module)) as { startService: () => Promise<RunningService> }
  const service = await startService()
  try {
    await addInterface(service.baseUrl)
    await addPairs(service.baseUrl)
    await addMetrics(service.origin)
  } finally {
    await service.stop()
    await service.remove()
  }
}

await addService()
addSettings()
addCommandLine('kiln', join(repository, 'packages/client/src/cli/main.ts'))
addCommandLine('admin', join(repository, 'packages/server/src/main-admin.ts'))
const library = (await import(pathToFileURL(join(repository, 'packages/client/src/index.ts')).href)) as object
for (const name of Object.keys(library)) add('client export', name)
console.log([...new Set(lines)].sort().join('\n'))
