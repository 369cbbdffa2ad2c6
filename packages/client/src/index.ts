export type {
  ConversionOptions,
  ConversionPair,
  ConversionReport,
  Counts,
  ErrorCode,
  FailureWord,
  Job,
  JobStatus,
  LeftOut,
  MediaStreamFate,
  PairDescription,
  RecognizedText,
  ReplacedFont,
  Report,
  SubmitResult,
  UsageSnapshot,
} from '@kiln/contract'
export type { CallOptions } from './clock.ts'
export type {
  ConvertOptions,
  Output,
  OutputOptions,
  ProgressOptions,
  Saved,
  SubmitOptions,
  Submitted,
} from './convert.ts'
export {
  AbortedError,
  BadRequestError,
  ClientPairError,
  ConnectionError,
  ConversionFailedError,
  FileError,
  ForbiddenError,
  IdempotencyMismatchError,
  KilnError,
  type KilnErrorCode,
  type LocalCode,
  NotFoundError,
  OutputExpiredError,
  RateLimitedError,
  RequireCreditsError,
  ServiceError,
  SizeMismatchError,
  TimeoutError,
  TooLargeError,
  UnauthenticatedError,
  UnknownPairError,
} from './errors.ts'
export { extensionOf, formatNamed, formatOfName, isTextFormat, type PairChoice } from './formats.ts'
export type { KilnInput } from './input.ts'
export { type FinishOptions, Kiln, type UploadOptions } from './kiln.ts'
export type { Fetch, KilnOptions } from './options.ts'
export type { OnProgress, Progress } from './progress.ts'
export { reportLines } from './report-text.ts'
export type { NodeWritable, SaveOptions, WritableTarget } from './save.ts'
export { version } from './version.ts'
export type { JobState } from './wait.ts'
export {
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookHeaders,
} from './webhook.ts'
