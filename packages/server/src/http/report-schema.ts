import { encodingSources, leftOutKinds, streamFates, streamKinds, widthFits } from '@kiln/contract'
import { Type } from 'typebox'

// The report of a job as JSON Schema: it serializes the response and becomes part of the OpenAPI document.

interface Types {
  string: string
  boolean: boolean
  number: number
  integer: number
}

// A list of types, not a union: the serializer would try the members of a union one after the other.
export const nullable = <Name extends keyof Types>(type: Name, description: string) =>
  Type.Unsafe<Types[Name] | null>({ type: [type, 'null'], description })

const strict = { additionalProperties: false }

const CountsSchema = Type.Object(
  {
    bytes: nullable('integer', 'Size of the file.'),
    pages: nullable('integer', 'Pages, or slides.'),
    words: nullable('integer', 'Words, where they were counted.'),
    pictures: nullable('integer', 'Pictures.'),
    seconds: nullable('number', 'Length of a video.'),
  },
  { $id: 'Counts', ...strict },
)

const ReplacedFontSchema = Type.Object(
  {
    font: Type.String({ description: 'The font that the document asks for.' }),
    by: nullable('string', 'What took its place; null where several fonts did.'),
    widths: Type.Enum([...widthFits], {
      description: 'Are the letters as wide? Where they are the same, every line breaks as it did.',
    }),
  },
  { $id: 'ReplacedFont', ...strict },
)

const TextEncodingSchema = Type.Object(
  {
    name: Type.String({ description: 'As in the Encoding Standard, such as `shift_jis`.' }),
    confidence: Type.Number({ description: '0 to 1.' }),
    by: Type.Enum([...encodingSources], { description: 'How the encoding was determined.' }),
  },
  { $id: 'TextEncoding', ...strict },
)

const RecognizedTextSchema = Type.Object(
  {
    pages: Type.String({ description: 'Such as `1-3, 7`.' }),
    count: Type.Integer({ description: 'How many pages.' }),
    languages: Type.Array(Type.String(), {
      description: 'Languages that the pages were read in, such as `eng`.',
    }),
    confidence: nullable('number', 'Mean over the words that were kept, 0 to 1.'),
  },
  { $id: 'RecognizedText', ...strict },
)

const LeftOutSchema = Type.Object(
  { what: Type.Enum([...leftOutKinds]), count: Type.Integer() },
  { $id: 'LeftOut', ...strict },
)

const StreamSchema = Type.Object(
  {
    kind: Type.Enum([...streamKinds]),
    codec: Type.String({ description: 'The codec in the file that was sent.' }),
    fate: Type.Enum([...streamFates]),
    as: nullable('string', 'The codec that it was encoded in.'),
  },
  { $id: 'MediaStreamFate', ...strict },
)

const more = (description: string) => Type.Integer({ description })

const ReportSchema = Type.Object(
  {
    jobId: Type.String({ description: 'Id of the job.' }),
    status: Type.Enum(['done', 'failed']),
    pair: Type.String({ description: 'Slug of the pair.' }),
    engine: Type.Unsafe<{ name: string; version: string | null } | null>({
      type: ['object', 'null'],
      description: 'The program that did the work; null where none has.',
      properties: { name: { type: 'string' }, version: { type: ['string', 'null'] } },
      required: ['name', 'version'],
      ...strict,
    }),
    seconds: nullable('number', 'What the conversion took, without upload, waiting and download.'),
    input: Type.Ref('Counts', { description: 'What was sent.' }),
    output: Type.Ref('Counts', { description: 'What was made.' }),
    encoding: Type.Unsafe<unknown>({
      anyOf: [{ $ref: 'TextEncoding' }, { type: 'null' }],
      description: 'The character encoding that a text file was read in; null for other files.',
    }),
    fonts: Type.Array(Type.Ref('ReplacedFont'), { description: 'Fonts that were replaced.' }),
    recognized: Type.Unsafe<unknown>({
      anyOf: [{ $ref: 'RecognizedText' }, { type: 'null' }],
      description: 'Text that was read from pictures of pages.',
    }),
    leftOut: Type.Array(Type.Ref('LeftOut'), { description: 'What is not in the output.' }),
    streams: Type.Array(Type.Ref('MediaStreamFate'), {
      description: 'What became of the streams of a video.',
    }),
    warnings: Type.Array(Type.String(), {
      description: 'Sentences: what to look at before the output is used.',
    }),
    more: Type.Object(
      {
        fonts: more('Further entries of `fonts`.'),
        leftOut: more('Further entries of `leftOut`.'),
        streams: more('Further entries of `streams`.'),
        warnings: more('Further entries of `warnings`.'),
      },
      { description: 'How many further entries each list had.', ...strict },
    ),
  },
  { $id: 'Report', ...strict },
)

export const reportSchemas = [
  CountsSchema,
  TextEncodingSchema,
  ReplacedFontSchema,
  RecognizedTextSchema,
  LeftOutSchema,
  StreamSchema,
  ReportSchema,
] as const
