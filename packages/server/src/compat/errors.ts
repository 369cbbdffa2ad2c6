import { type FailureWord, statusOfCode } from '@kiln/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cutOffUnreadBody, toAnswer } from '../http/errors.ts'
import type { Log } from '../log/log.ts'
import { JobFailed } from './convert.ts'
import { NoForm } from './form.ts'
import { InvalidForm } from './gotenberg/fields.ts'

// How the compatibility APIs answer an error: a status and a sentence. Each API puts the sentence into its own kind of
// body.

/** 400 when the file is the cause, 503 for the time limit, 500 for our own errors. */
const statusOfWord: Readonly<Record<FailureWord, number>> = {
  'password-protected': 400,
  'corrupt-input': 400,
  'wrong-format': 400,
  'too-complex': 400,
  unsupported: 400,
  timeout: 503,
  cancelled: 503,
  internal: 500,
}

export interface CompatAnswer {
  status: number
  message: string
  headers: Readonly<Record<string, string>>
}

export function toCompatAnswer(error: unknown): CompatAnswer {
  if (error instanceof JobFailed)
    return { status: statusOfWord[error.word], message: error.message, headers: {} }
  if (error instanceof InvalidForm) return { status: 400, message: error.message, headers: {} }
  if (error instanceof NoForm) return { status: 415, message: error.message, headers: {} }
  const { status, body, headers } = toAnswer(error)
  return { status, message: body.error, headers }
}

export function logFailure(log: Log, status: number, error: unknown, request: FastifyRequest): void {
  // A body that was partly read has been destroyed already.
  if (!request.raw.destroyed) cutOffUnreadBody(request.raw)
  if (status >= 500 && status !== statusOfCode.unavailable)
    log.error({ err: error, requestId: request.id, method: request.method }, 'request failed')
}

export function answerText(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, message, headers } = toCompatAnswer(error)
  logFailure(log, status, error, request)
  reply.code(status).headers(headers).header('content-type', 'text/plain; charset=UTF-8').send(message)
}
