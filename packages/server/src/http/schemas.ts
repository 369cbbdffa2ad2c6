import { errorCodes, jobStatuses } from '@kiln/contract'
import { Type } from 'typebox'
import { nullable, reportSchemas } from './report-schema.ts'

// The interface's resources as JSON Schema: they validate requests, restrict responses to these fields, and become the
// OpenAPI document.

const ConversionPairSchema = Type.Object(
  {
    from: Type.String({ description: 'Source format.' }),
    to: Type.String({ description: 'Target format.' }),
    pair: Type.String({
      description: 'Slug; the value to send as `pair` when submitting.',
      examples: ['md-to-docx'],
    }),
    label: Type.String({ description: 'Label for people.' }),
    freeMaxBytes: Type.Integer({ description: 'Size cap of the pair in bytes.' }),
    freeMaxMB: Type.Integer({ description: 'The same cap in megabytes.' }),
    costCredits: Type.Integer({
      description: 'Credits charged per conversion once the free allowance is used.',
    }),
  },
  { $id: 'ConversionPair', additionalProperties: false },
)

const FormatsSchema = Type.Object(
  { pairs: Type.Array(Type.Ref('ConversionPair')) },
  { $id: 'Formats', additionalProperties: false },
)

const PairDescriptionSchema = Type.Object(
  {
    ...ConversionPairSchema.properties,
    options: Type.Object(
      {},
      { additionalProperties: true, description: 'The options of the pair, as a JSON Schema.' },
    ),
  },
  { $id: 'PairDescription', additionalProperties: false },
)

const SubmitRequestSchema = Type.Object(
  {
    pair: Type.String({
      maxLength: 200,
      description: 'Pair slug from `GET /v1/formats`.',
      examples: ['md-to-docx'],
    }),
    bytes: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Exact byte length of the file to be uploaded.',
      examples: [1024],
    }),
    // The valid options depend on the pair and are validated with it.
    options: Type.Optional(
      Type.Object({}, { description: 'Options of the pair; `GET /v1/formats/{pair}` describes them.' }),
    ),
  },
  { $id: 'SubmitRequest' },
)

const SubmitResultSchema = Type.Object(
  {
    jobId: Type.String({ description: 'Id of the job.' }),
    uploadUrl: Type.String({ description: 'Presigned URL; send the file bytes to it with PUT.' }),
    pollUrl: Type.String({ description: 'Path of the job; append it to the origin of the base address.' }),
    idempotent: Type.Optional(nullable('boolean', 'Present on replays of an earlier identical submit.')),
  },
  { $id: 'SubmitResult', additionalProperties: false },
)

const JobSchema = Type.Object(
  {
    jobId: Type.String({ description: 'Id of the job.' }),
    status: Type.Enum([...jobStatuses], { description: '`done` and `failed` are final.' }),
    downloadUrl: nullable('string', 'Presigned link to the output while the job is `done` and not expired.'),
    error: nullable('string', 'Why the job failed: a stable word, a colon, and a sentence.'),
    expiresAt: nullable('string', 'When the download link and the output expire (ISO 8601, UTC).'),
  },
  { $id: 'Job', additionalProperties: false },
)

const UsageSchema = Type.Object(
  {
    freeTier: Type.Object(
      {
        jobsPerMonth: Type.Integer({ description: 'Free conversions per calendar month (UTC).' }),
        jobsRemaining: Type.Integer({ description: 'Free conversions left this month.' }),
      },
      { additionalProperties: false },
    ),
    creditsBalance: Type.Number({ description: 'Credit balance of the account.' }),
    currentWindow: Type.Object(
      {
        windowStart: Type.String({ description: 'Start of the billing window (ISO 8601, UTC).' }),
        account: Type.Object(
          {
            jobs: Type.Integer({ description: 'Jobs of the account in this window.' }),
            bytes: Type.Integer({ description: 'Bytes of the account in this window.' }),
          },
          { additionalProperties: false },
        ),
      },
      { additionalProperties: false },
    ),
  },
  { $id: 'Usage', additionalProperties: false },
)

const ErrorSchema = Type.Object(
  {
    error: Type.String({ description: 'Message for people.' }),
    code: Type.Enum([...errorCodes], { description: 'Stable machine code to branch on.' }),
  },
  { $id: 'Error', additionalProperties: false },
)

export const allSchemas = [
  ConversionPairSchema,
  FormatsSchema,
  PairDescriptionSchema,
  SubmitRequestSchema,
  SubmitResultSchema,
  JobSchema,
  UsageSchema,
  ErrorSchema,
  ...reportSchemas,
] as const
