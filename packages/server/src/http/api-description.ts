import fastifySwagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { everyOptionSchema } from './options-schema.ts'

// The OpenAPI 3.1 document, made from the route schemas, and a page to read and try it. The page
// loads nothing from elsewhere, and its content policy forbids it to.

export async function registerApiDescription(
  app: FastifyInstance,
  publicUrl: string,
  prefix: string,
): Promise<void> {
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
    // Requests are held against the table of options, which has a sentence for each fault; here it is only shown.
    transformObject: (document) => ('openapiObject' in document ? withOptions(document.openapiObject) : {}),
    stripBasePath: true,
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        (json.$id as string | undefined) ?? `Schema${index}`,
    },
  })
  app.get(`${prefix}/openapi.json`, { schema: { hide: true } }, async () => app.swagger())
  await app.register(fastifySwaggerUi, {
    routePrefix: `${prefix}/docs`,
    staticCSP: true,
    uiConfig: { validatorUrl: null, docExpansion: 'list', deepLinking: true },
    theme: { title: 'Kiln API' },
  })
}

type Described = Parameters<NonNullable<FastifyDynamicSwaggerOptions['transformObject']>>[0]
type OpenApi = Extract<Described, { openapiObject: unknown }>['openapiObject']

function withOptions(description: OpenApi): OpenApi {
  const { SubmitRequest, ...others } = description.components?.schemas ?? {}
  const request = SubmitRequest as { properties: Record<string, object> }
  const properties = { ...request.properties, options: { $ref: '#/components/schemas/Options' } }
  return {
    ...description,
    components: {
      ...description.components,
      schemas: { ...others, SubmitRequest: { ...request, properties }, Options: everyOptionSchema() },
    },
  } as OpenApi
}
