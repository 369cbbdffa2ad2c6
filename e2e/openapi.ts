import { Ajv2020 } from 'ajv/dist/2020.js'

// As much of an OpenAPI 3.1 description as the suite reads.

export interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  [keyword: string]: unknown
}

interface Content {
  content?: Record<string, { schema?: Schema }>
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  schema?: Schema
}

export interface Operation {
  operationId?: string
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<
    string,
    Content & { $ref?: string; description?: string; headers?: Record<string, { schema?: Schema }> }
  >
  security?: Record<string, string[]>[]
}

export interface ApiDescription {
  openapi: string
  info: { version: string }
  servers?: { url: string }[]
  security?: Record<string, string[]>[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components?: { securitySchemes?: Record<string, unknown>; schemas?: Record<string, Schema> }
}

/** Follows local references, such as #/components/schemas/Job. */
export const resolve = <Part extends { $ref?: string }>(description: ApiDescription, part: Part): Part => {
  if (part.$ref === undefined) return part
  const names = part.$ref.split('/').slice(1)
  const target = names.reduce<unknown>(
    (at, name) => (at as Record<string, unknown>)[name.replaceAll('~1', '/').replaceAll('~0', '~')],
    description,
  )
  return resolve(description, target as Part)
}

/** Checks values against schemas of the description; answers with the faults, none when it fits. */
export const validatorOf = (description: ApiDescription) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ ...description, $id: 'kiln:api' })
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  return (schema: Schema, value: unknown): string[] => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"kiln:api#/')
    const check = compiled.get(text) ?? ajv.compile(JSON.parse(text) as Schema)
    compiled.set(text, check)
    if (check(value)) return []
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
  }
}
