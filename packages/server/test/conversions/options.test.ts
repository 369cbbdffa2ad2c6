import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useService } from '../support/service.ts'

// Options from the request to the engine. The test engine reports the options that it received.

const service = useService()

interface Row {
  options: Record<string, unknown> | null
  secrets: string | null
}

const rowOf = async (jobId: string): Promise<Row> => {
  const { rows } = await sql<Row>`select options, secrets from jobs where id = ${jobId}`.execute(
    service.database.kysely,
  )
  return rows[0] as Row
}

const submit = async (options: unknown, key: string, pair = 'pdf-to-md') => {
  const answer = await service.call('/v1/conversions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ pair, bytes: 5, options }),
  })
  return { status: answer.status, ...((await answer.json()) as { jobId: string; uploadUrl: string }) }
}

test('half a character is no text that the database could keep', async () => {
  expect((await submit({ sheet: 'Umsätze 📈' }, 'whole', 'xlsx-to-csv')).status).toBe(201)
  expect((await submit({ sheet: 'half \ud83d' }, 'half', 'xlsx-to-csv')).status).toBe(400)
  expect((await submit({ password: 'half \udcc8' }, 'half')).status).toBe(400)
})

test('a password is sealed in the row, compared by a replay, given to the engine, and erased at the end', async () => {
  const options = { password: 'correct horse', pages: '2-3' }
  const { status, jobId, uploadUrl } = await submit(options, 'sealed')
  expect(status).toBe(201)
  const waiting = await rowOf(jobId)
  expect(waiting.options).toEqual({ password: null, pages: '2-3' })
  expect(waiting.secrets).not.toBeNull()
  expect(Buffer.from(waiting.secrets ?? '', 'base64').toString('latin1')).not.toContain('horse')

  expect((await submit(options, 'sealed')).status).toBe(200)
  for (const other of [{ ...options, password: 'another' }, { pages: '2-3' }])
    expect((await submit(other, 'sealed')).status).toBe(422)
  // The same password of another request is another text.
  const second = await submit(options, 'sealed elsewhere')
  expect((await rowOf(second.jobId)).secrets).not.toBe(waiting.secrets)

  let got: unknown
  service.startWorker(async ({ options: given, outFolder }) => {
    got = given
    await writeFile(join(outFolder, 'output.md'), 'words')
    return 'output.md'
  })
  expect((await fetch(uploadUrl, { method: 'PUT', body: '%PDF-' })).status).toBe(200)
  expect(await service.ended(jobId)).toMatchObject({ status: 'done' })
  expect(got).toEqual(options)
  expect(await rowOf(jobId)).toEqual({ options: { password: null, pages: '2-3' }, secrets: null })
  // The record shows that there was a secret, but no longer its value.
  expect((await submit({ ...options, password: 'any' }, 'sealed')).status).toBe(200)
  expect((await submit({ pages: '2-3' }, 'sealed')).status).toBe(422)
})

test('a job that fails loses its password as well', async () => {
  const { jobId, uploadUrl } = await submit({ password: 'correct horse' }, 'failing')
  expect((await fetch(uploadUrl, { method: 'PUT', body: 'plain' })).status).toBe(200)
  expect(await service.ended(jobId)).toMatchObject({ status: 'failed' })
  expect((await rowOf(jobId)).secrets).toBeNull()
})
