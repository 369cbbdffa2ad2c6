import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

const buildCompiler = SerializerSelector()

/** For `schemaController` of Fastify: compiling the serializers of all responses takes a tenth of a start. */
export const lazySerializers: typeof buildCompiler = (schemas, options) => {
  const compile = buildCompiler(schemas, options)
  return (response) => {
    let serialize: ReturnType<typeof compile> | undefined
    return (body) => {
      serialize ??= compile(response)
      return serialize(body)
    }
  }
}
