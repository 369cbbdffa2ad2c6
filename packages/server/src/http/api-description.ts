import fastifySwagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import {
  allOptions,
  describedSchema,
  type JsonSchema,
  type Option,
  type Pair,
  pairs,
} from '@kiln/converter/catalog'
import type { FastifyInstance } from 'fastify'
import {
  type Address,
  addExamples,
  uploadPath,
  webhookEventSchema,
  webhookOperation,
} from './complete-description.ts'

// The OpenAPI 3.1 document, generated from the route schemas. The API reference (pages/api-page.ts) shows it.

export async function registerApiDescription(
  app: FastifyInstance,
  { pairs, publicUrl, prefix }: Address & { pairs: readonly Pair[] },
): Promise<void> {
  const address = { publicUrl, prefix }
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Kiln',
        summary: 'Server-side file conversion.',
        description:
          'Submit a pair and a byte count, PUT the file to the upload URL, poll the job, download the result from its presigned link.',
        version: '1.0.0',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: publicUrl + prefix }],
      tags: [
        { name: 'Formats', description: 'What can be converted.' },
        { name: 'Conversions', description: 'Submit and follow a conversion.' },
        { name: 'Usage', description: 'Allowance and credits.' },
        { name: 'Webhooks', description: 'Events that Kiln sends.' },
      ],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'A live API key, `kiln_live_…`; for back ends only.',
          },
        },
      },
      security: [{ apiKey: [] }],
    },
    transformObject: (document) =>
      'openapiObject' in document ? completed(document.openapiObject, address, pairs) : {},
    stripBasePath: true,
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        (json.$id as string | undefined) ?? `Schema${index}`,
    },
  })
  app.get(`${prefix}/openapi.json`, { schema: { hide: true } }, async () => app.swagger())
}

type Described = Parameters<NonNullable<FastifyDynamicSwaggerOptions['transformObject']>>[0]
type OpenApi = Extract<Described, { openapiObject: unknown }>['openapiObject']

type Paths = Parameters<typeof addExamples>[0]

function completed(description: OpenApi, address: Address, pairs: readonly Pair[]): OpenApi {
  const paths = structuredClone({ ...description.paths }) as unknown as Paths
  const upload = uploadPath(address)
  addExamples({ ...paths, upload: { put: upload.put } } as Paths, address, pairs)
  return {
    ...description,
    paths: { ...paths, '/files/in/{job}': upload },
    webhooks: { conversionEnded: { post: webhookOperation } },
    components: { ...description.components, schemas: withOptions(description) },
  } as unknown as OpenApi
}

// Requests are validated against the table of options, which has a message for each error; here it is only documented.
function withOptions(description: OpenApi): Record<string, unknown> {
  const { SubmitRequest, ...others } = description.components?.schemas ?? {}
  const request = SubmitRequest as { properties: Record<string, object> }
  const properties = { ...request.properties, options: { $ref: '#/components/schemas/Options' } }
  return {
    ...others,
    SubmitRequest: { ...request, properties },
    Options: everyOptionSchema(),
    WebhookEvent: webhookEventSchema,
  }
}

/** Every option of every pair, for the API description. An option may have different meanings in two pairs. */
function everyOptionSchema(): JsonSchema {
  const names = [...new Set(allOptions.map(({ name }) => name))]
  return {
    type: 'object',
    description:
      '`GET /v1/formats/{pair}` has the JSON Schema of the options that a pair takes. Other options are refused.',
    properties: Object.fromEntries(names.map((name) => [name, oneOrMore(name)])),
    additionalProperties: false,
  }
}

function oneOrMore(name: string): JsonSchema {
  const rows = allOptions.filter((option) => option.name === name)
  const [only] = rows
  if (only && rows.length === 1) return forPairs(only)
  return { anyOf: rows.map(forPairs) }
}

function forPairs(option: Option): JsonSchema {
  const schema = describedSchema(option)
  const slugs = pairs.filter(option.appliesTo).map(({ slug }) => slug)
  const some =
    slugs.length > 3 ? `${slugs.slice(0, 3).join(', ')} and ${slugs.length - 3} more` : slugs.join(', ')
  return { ...schema, description: `${String(schema.description)} For ${some}.` }
}
