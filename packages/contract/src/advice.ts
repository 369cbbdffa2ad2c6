import type { ErrorCode, FailureWord } from './errors.ts'

// Meaning and remedy of each error, for the API reference. The message of an error response is more
// specific than `meaning`.

export interface Advice {
  meaning: string
  advice: string
}

export const adviceOnCode: Readonly<Record<ErrorCode, Advice>> = {
  'bad-request': {
    meaning: 'The request is malformed, or a value is not allowed.',
    advice: 'Read `error`: it names the field and the values that are allowed. Correct the request.',
  },
  'unknown-pair': {
    meaning: 'Kiln does not convert this pair.',
    advice: 'Choose a pair from `GET /v1/formats`. Two conversions in a row may do it.',
  },
  'client-pair': {
    meaning: 'A browser can do this conversion, so the service does not.',
    advice:
      'Convert the file on the user’s machine: on the front page of the service, or with `convertInBrowser` of @kiln/browser.',
  },
  'size-mismatch': {
    meaning: 'The upload is not as long as the submit declared.',
    advice: 'Upload exactly `bytes` bytes to the same link, or submit again with the right number.',
  },
  unauthenticated: {
    meaning: 'The API key is missing, wrong or revoked.',
    advice: 'Send `Authorization: Bearer KEY` with a key that the operator gave you.',
  },
  'require-credits': {
    meaning: 'The free conversions of this month are used, and the credits do not suffice.',
    advice: 'Ask the operator for credits. `GET /v1/usage` shows the balance.',
  },
  forbidden: {
    meaning: 'The job belongs to another account, or a link is expired or changed.',
    advice: 'Use the key that submitted the job. Use links exactly as given, and poll for a fresh one.',
  },
  'not-found': {
    meaning: 'There is no such job, pair, report or file.',
    advice: 'Check the id. A report exists once the job has ended; outputs are deleted when they expire.',
  },
  'method-not-allowed': {
    meaning: 'The address exists, but not with this method.',
    advice: 'Use a method that the `Allow` header of the response names.',
  },
  'request-timeout': {
    meaning: 'The request or the upload arrived too slowly.',
    advice: 'Send it again, over a faster connection if possible.',
  },
  'length-required': {
    meaning: 'The upload does not state its length.',
    advice: 'Send a `Content-Length` header; chunked uploads are not accepted.',
  },
  'precondition-failed': {
    meaning: 'The output is not the one that `If-Match` or `If-Unmodified-Since` names.',
    advice: 'Download the whole output again.',
  },
  'too-large': {
    meaning: 'The file is larger than the pair allows, or the request body is too large.',
    advice: 'Compare the file with `freeMaxBytes` of the pair. Split the file or make it smaller.',
  },
  'range-not-satisfiable': {
    meaning: 'The range is outside the output.',
    advice: 'Ask for bytes within `Content-Range`, or for the whole output.',
  },
  'expectation-failed': {
    meaning: 'The `Expect` header asks for something other than `100-continue`.',
    advice: 'Leave the header out.',
  },
  'idempotency-mismatch': {
    meaning: 'The Idempotency-Key was used before, for another request.',
    advice: 'Use a new key for each conversion, and the same key only to repeat the same submit.',
  },
  'rate-limited': {
    meaning: 'The account sends requests too fast.',
    advice:
      'Wait for the seconds in `Retry-After`. Wait for a job with `Prefer: wait=25` instead of polling.',
  },
  'headers-too-large': {
    meaning: 'The headers of the request are too large.',
    advice: 'Send fewer or shorter headers.',
  },
  internal: {
    meaning: 'The service failed.',
    advice: 'Repeat the request with the same Idempotency-Key. Report `Request-Id` if it fails again.',
  },
  unavailable: {
    meaning: 'The service is overloaded, stopping, or cannot reach its database or storage.',
    advice: 'Wait for the seconds in `Retry-After`, then repeat the request with the same Idempotency-Key.',
  },
}

export const adviceOnFailure: Readonly<Record<FailureWord, Advice>> = {
  'password-protected': {
    meaning: 'The file needs a password, or the given one is wrong.',
    advice: 'Submit again with the option `password`.',
  },
  'corrupt-input': {
    meaning: 'The file is damaged or incomplete.',
    advice: 'Save the file again in the program that made it. Repeating the conversion does not help.',
  },
  'wrong-format': {
    meaning: 'The file is not of the format that the pair names.',
    advice: 'Submit the pair that fits the content of the file.',
  },
  timeout: {
    meaning: 'The conversion took too long, or the file was not uploaded in time.',
    advice: 'Upload soon after the submit; convert fewer pages or a smaller file.',
  },
  'too-complex': {
    meaning: 'The file needs more memory or produces more output than allowed.',
    advice: 'Split the file, or choose options that make less of it.',
  },
  unsupported: {
    meaning: 'The file uses something that cannot be converted.',
    advice: 'Choose another target format, or remove it from the file.',
  },
  cancelled: {
    meaning: 'The job was cancelled before it ended.',
    advice: 'Submit again if the output is still needed.',
  },
  internal: {
    meaning: 'The service failed to convert the file.',
    advice: 'Submit again. If it fails again, give the operator the `jobId`.',
  },
}
