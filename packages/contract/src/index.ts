export { type ErrorBody, type ErrorCode, errorCodes, statusOfCode } from './errors.ts'
export { type FailureWord, failureWords } from './failures.ts'
export * from './report.ts'
export * from './resources.ts'
