import { uuidPattern as uuid } from '../uuid.ts'

// in/<job> is the upload; out/<job>.<attempt> is an output. The attempt is part of the name, so a worker that lost its
// lease can never overwrite the output of its successor.

export const inputObject = (jobId: string): string => `in/${jobId}`
export const outputObject = (jobId: string, attempt: number): string => `out/${jobId}.${attempt}`

const shape = new RegExp(`^(in)/(${uuid})$|^(out)/(${uuid})\\.(\\d{1,9})$`)

export type ObjectName = { kind: 'input'; jobId: string } | { kind: 'output'; jobId: string; attempt: number }

/** Null for anything that is not an object name of ours. */
export function parseObjectName(name: string): ObjectName | null {
  const match = shape.exec(name)
  if (!match) return null
  const [, input, inputJob, , outputJob, attempt] = match
  if (input && inputJob) return { kind: 'input', jobId: inputJob }
  return { kind: 'output', jobId: outputJob as string, attempt: Number(attempt) }
}
