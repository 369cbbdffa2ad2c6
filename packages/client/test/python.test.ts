import { execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { baseUrl, kilnOf, markdown, newKey, temporaryFolder } from '@kiln/test-support/client-service.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { ConversionFailedError, KilnError, verifyWebhook } from '../src/index.ts'

// One table of behaviours (clients/behaviours.json) for the TypeScript and the Python client. The Python client is built
// as a wheel, installed into an empty environment and used from there.

const run = promisify(execFile)
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

interface Case {
  name: string
  pair?: string
  text?: string
  options?: Record<string, unknown>
  read?: string
  key?: 'good' | 'wrong' | 'none'
  contains?: string
  code?: string
  status?: number
  word?: string
}

interface Outcome {
  text?: string
  code?: string
  status?: number | null
  word?: string | null
}

const cases = JSON.parse(readFileSync(path('../../../clients/behaviours.json'), 'utf8')) as Case[]
const keys = { good: '', wrong: `kiln_live_${'0'.repeat(38)}`, none: null as string | null }

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`
const body = JSON.stringify({ type: 'conversion.done', timestamp: 'now', data: { jobId: 'x' } })
const signed = (seconds: number, key = secret) => {
  const signature = createHmac('sha256', Buffer.from(key.slice(6), 'base64'))
    .update(`event.${seconds}.${body}`)
    .digest('base64')
  return {
    'Webhook-Id': 'event',
    'Webhook-Timestamp': String(seconds),
    'Webhook-Signature': `v1,${signature}`,
  }
}
const now = Math.floor(Date.now() / 1000)
const webhooks = [
  { body, headers: signed(now), secret },
  { body: `${body} `, headers: signed(now), secret },
  { body, headers: signed(now - 1000), secret },
  { body, headers: { 'Webhook-Id': 'event' }, secret },
]

interface Python {
  sync: Outcome[]
  async: Outcome[]
  webhooks: { event?: { id: string }; code?: string }[]
  report: string
  pairs: number
  described: string
  jobs: number
}

let python: Python
let output: string

beforeAll(async () => {
  keys.good = await newKey()
  const folder = await temporaryFolder()
  await cp(path('../../../clients/python'), join(folder, 'source'), { recursive: true })
  const build = [
    '-m',
    'build',
    '--wheel',
    '--no-isolation',
    '--outdir',
    join(folder, 'wheel'),
    join(folder, 'source'),
  ]
  await run('/usr/bin/python3', build)
  const [wheel = ''] = await readdir(join(folder, 'wheel'))
  await run('/usr/bin/python3', ['-m', 'venv', join(folder, 'empty')])
  const bin = (name: string) => join(folder, 'empty/bin', name)
  await run(bin('pip'), ['install', '--no-index', '--no-deps', join(folder, 'wheel', wheel)])
  const [file, target] = [join(folder, 'report.md'), join(folder, 'report.html')]
  output = target
  await writeFile(file, markdown)
  const child = spawn(bin('python'), [path('./python-driver.py')], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify({ url: baseUrl, keys, cases, webhooks, file, output: target }))
  python = JSON.parse(await text(child.stdout)) as Python
})

async function typescript({
  pair = '',
  read,
  text: input = '',
  options,
  key = 'good',
}: Case): Promise<Outcome> {
  const kiln = kilnOf(keys[key])
  try {
    if (read) return { text: (await kiln.get(read)).status }
    const converted = await kiln.convert(new TextEncoder().encode(input), {
      pair,
      ...(options ? { options } : {}),
    })
    return { text: await new Response(converted.stream).text() }
  } catch (error) {
    if (!(error instanceof KilnError)) throw error
    const word = error instanceof ConversionFailedError ? error.reason : null
    return { code: error.code, status: error.status, word }
  }
}

function check(outcome: Outcome | undefined, { contains, code, status, word }: Case): void {
  if (contains !== undefined) expect(outcome?.text).toContain(contains)
  if (code !== undefined) expect(outcome?.code).toBe(code)
  if (status !== undefined) expect(outcome?.status).toBe(status)
  if (word !== undefined) expect(outcome?.word).toBe(word)
}

describe.each(cases.map((each, index) => ({ ...each, index })))('$name', ({ index, ...each }) => {
  test('in TypeScript', async () => check(await typescript(each), each))
  test('in Python', () => check(python.sync[index], each))
  test('in Python with asyncio', () => check(python.async[index], each))
})

test('webhooks are verified alike', async () => {
  const codes = await Promise.all(
    webhooks.map(({ body, headers, secret }) =>
      verifyWebhook(body, headers, secret).then(
        ({ id }) => id,
        (error: KilnError) => error.code,
      ),
    ),
  )
  expect(codes).toEqual(['event', 'invalid-webhook', 'invalid-webhook', 'invalid-webhook'])
  expect(python.webhooks.map(({ event, code }) => event?.id ?? code)).toEqual(codes)
})

test('the Python client saves files, and reads reports, formats and usage', async () => {
  expect(await readFile(output, 'utf8')).toContain('Kiln report')
  expect(python).toMatchObject({ report: 'done', described: 'md-to-html' })
  expect(python.pairs).toBeGreaterThan(50)
  expect(python.jobs).toBeGreaterThan(3)
})
