import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, vi } from 'vitest'
import type { Scenario, Step } from './read-feature.ts'
import {
  attachments,
  checkConformance,
  imageCount,
  opens,
  outline,
  pageText,
  pdfInfo,
  qpdfJson,
  uncompressed,
} from './read-pdf.ts'
import { startWebhookServer, type WebhookServer } from './webhook-server.ts'

// The sentences of Gotenberg's scenarios, as requests and checks. PDFs are read with poppler and qpdf.

const run = promisify(execFile)

export interface Peer {
  base: string
  key: string
  version: string
  /** Where the files of the scenarios are. */
  data: string
  log(): string
}

interface World {
  peer: Peer
  /** Keeps the files of the responses. */
  store: string
  isAnonymous: boolean
  response: { status: number; headers: Headers; body: Buffer }
  files: string[]
  webhook: WebhookServer | undefined
}

export async function runScenario(scenario: Scenario, peer: Peer, folder: string): Promise<void> {
  const store = await mkdtemp(join(folder, 'scenario-'))
  const response = { status: 0, headers: new Headers(), body: Buffer.alloc(0) }
  const world: World = { peer, store, isAnonymous: false, response, files: [], webhook: undefined }
  try {
    for (const step of scenario.steps) await runStep(world, step)
  } finally {
    world.webhook?.close()
    await rm(store, { recursive: true, force: true })
  }
}

async function runStep(world: World, step: Step): Promise<void> {
  for (const [pattern, act] of sentences) {
    const found = pattern.exec(step.text)
    if (found) return act(world, step, ...found.slice(1))
  }
  throw new Error(`There is no such step: ${step.text}`)
}

type Act = (world: World, step: Step, ...parts: string[]) => Promise<void> | void

const sentences: readonly [RegExp, Act][] = [
  [/^I have a default Gotenberg container$/, () => {}],
  [
    /^I have a Gotenberg container with the following environment/,
    (world, { table }) => {
      world.isAnonymous = table.some(([name]) => name === 'API_ENABLE_BASIC_AUTH')
    },
  ],
  [
    /^I have a webhook server$/,
    async (world) => {
      world.webhook = await startWebhookServer()
    },
  ],
  [
    /^I wait for the asynchronous request to the webhook$/,
    async (world) => {
      const { headers, body } = await receivedAt(world, '/webhook')
      world.response = { status: 200, headers, body }
      world.files = await saveFiles(world)
    },
  ],
  [
    /^the webhook event should match JSON:$/,
    async (world, { doc = '' }) => {
      const { body } = await receivedAt(world, '/webhook/events')
      expect(JSON.parse(body.toString('utf8'))).toMatchObject(withIgnored(JSON.parse(doc)) as object)
    },
  ],
  [
    /^the webhook request header "traceparent" should carry trace id "(\w+)"$/,
    ({ response }, _, trace = '') => expect(response.headers.get('traceparent')).toContain(trace),
  ],
  [/^I make a "(\w+)" request to Gotenberg at the "([^"]+)" endpoint/, request],
  [
    /^the response status code should be (\d+)$/,
    ({ response }, _, status) => {
      expect(response.status, response.body.toString('utf8', 0, 300)).toBe(Number(status))
    },
  ],
  [
    /^the (?:response|webhook request) header "([^"]+)" should be "([^"]*)"$/,
    ({ response }, _, name = '', value) => expect(response.headers.get(name)).toBe(value),
  ],
  [
    /^the response body should match string:$/,
    ({ response, peer }, { doc = '' }) =>
      expect(response.body.toString('utf8').trim()).toBe(doc.replace('{version}', peer.version).trim()),
  ],
  [
    /^the response body should contain string:$/,
    ({ response }, { doc = '' }) => expect(response.body.toString('utf8')).toContain(doc),
  ],
  [
    /^the (?:response|webhook request) body should match JSON:$/,
    ({ response }, { doc = '' }) =>
      expect(JSON.parse(response.body.toString('utf8'))).toMatchObject(
        withIgnored(JSON.parse(doc)) as object,
      ),
  ],
  [
    /^the Gotenberg container should log the following entries:$/,
    async ({ peer }, { table }) => {
      for (const [entry = ''] of table)
        await vi.waitFor(() => expect(peer.log()).toContain(entry), { timeout: 10_000 })
    },
  ],
  [
    /^there should be (\d+) PDF\(s\) in the (?:response|webhook request)$/,
    async (world, _, count) => expect(await pdfsOf(world)).toHaveLength(Number(count)),
  ],
  [
    /^there should be the following file\(s\) in the (?:response|webhook request):$/,
    ({ files }, { table }) => {
      for (const [name = ''] of table) expect(files.some(matching(name)), `${name} of ${files}`).toBe(true)
    },
  ],
  [
    /^the "([^"]+)" PDF should have (\d+) page\(s\)$/,
    async (world, _, name, count) => expect((await pdfInfo(pathOf(world, name))).Pages).toBe(count),
  ],
  [
    /^the "([^"]+)" PDF should (NOT )?have the following content at page (\d+):$/,
    async (world, { doc = '' }, name, not, page) => {
      const text = collapseWhitespace(await pageText(pathOf(world, name), page))
      expect(text.includes(collapseWhitespace(doc)), text.slice(0, 500)).toBe(!not)
    },
  ],
  [
    /^the "([^"]+)" PDF should (NOT )?have content matching "([^"]+)" at page (\d+)$/,
    async (world, _, name, not, pattern = '', page) =>
      expect(new RegExp(pattern).test(await pageText(pathOf(world, name), page))).toBe(!not),
  ],
  [
    /^the "([^"]+)" PDF should (NOT )?be set to landscape orientation$/,
    async (world, _, name, not) => {
      const [width = 0, height = 0] = ((await pdfInfo(pathOf(world, name)))['Page size'] ?? '')
        .split(' x ')
        .map(Number.parseFloat)
      expect(width > height).toBe(!not)
    },
  ],
  [
    /^the "([^"]+)" PDF should have (\d+) image\(s\)$/,
    async (world, _, name, count) => expect(await imageCount(pathOf(world, name))).toBe(Number(count)),
  ],
  [
    /^the "([^"]+)" PDF should (NOT )?have a document outline$/,
    async (world, _, name, not) => expect((await outline(pathOf(world, name))).length > 0).toBe(!not),
  ],
  [
    /^the "([^"]+)" file size should be (less|greater) than (\d+) KB$/,
    async (world, _, name, how, size) => {
      const { length } = await readFile(pathOf(world, name))
      expect(how === 'less' ? length < Number(size) * 1024 : length > Number(size) * 1024, `${length}`).toBe(
        true,
      )
    },
  ],
  [
    /^the response PDF\(s\) should be flatten$/,
    (world) =>
      eachPdf(world, async (path) => expect((await qpdfJson(path, 'acroform')).acroform.fields).toEqual([])),
  ],
  [
    /^the response PDF\(s\) should (NOT )?be encrypted$/,
    (world, _, not) =>
      // A password is needed to open it.
      eachPdf(world, async (path) => expect(await opens(path)).toBe(Boolean(not))),
  ],
  [
    /^the response PDF\(s\) should NOT allow "printing"$/,
    (world) => eachPdf(world, async (path) => expect((await pdfInfo(path)).Encrypted).toContain('print:no')),
  ],
  [
    /^the (?:response|webhook request) PDF\(s\) should have the "([^"]+)" file embedded(?: with relationship "(\w+)")?$/,
    (world, _, name = '', relationship) =>
      eachPdf(world, async (path) => {
        expect(await attachments(path)).toContain(name)
        if (relationship) expect(await uncompressed(path)).toContain(`/AFRelationship /${relationship}`)
      }),
  ],
  [
    /^the (?:response|webhook request) PDF\(s\) should be valid "PDF\/(A-\d\w|UA-\d)" with a tolerance of (\d+) failed rule\(s\)$/,
    (world, _, standard = '', tolerance) =>
      eachPdf(world, (path) => checkConformance(path, standard, Number(tolerance))),
  ],
]

async function request(world: World, { table }: Step, method = '', path = ''): Promise<void> {
  const headers = new Headers(world.isAnonymous ? {} : { authorization: basic(world.peer.key) })
  const form = new FormData()
  for (const [name = '', value = '', kind = 'header'] of table) {
    if (kind === 'header') headers.set(name, encodeHeader(localized(world, value)))
    else if (kind === 'field') form.append(name, value)
    else form.append(name, new Blob([await readFile(pathOf(world, value))]), basename(value))
  }
  const body = method === 'POST' ? form : null
  const answer = await fetch(world.peer.base + path, { method, headers, body })
  world.response = {
    status: answer.status,
    headers: answer.headers,
    body: Buffer.from(await answer.arrayBuffer()),
  }
  world.files = await saveFiles(world)
}

/** The address of the scenario's own server. */
const localized = ({ webhook }: World, value: string) =>
  value.replace('host.docker.internal:%d', `127.0.0.1:${webhook?.port}`)

function receivedAt({ webhook }: World, path: string) {
  if (!webhook) throw new Error('The scenario has no webhook server.')
  return webhook.received(path)
}

const basic = (key: string) => `Basic ${Buffer.from(`kiln:${key}`).toString('base64')}`
const encodeHeader = (value: string) => Buffer.from(value, 'utf8').toString('latin1')

/** Named as in the response; an archive is unpacked besides. */
async function saveFiles({ response, store }: World): Promise<string[]> {
  const disposition = response.headers.get('content-disposition') ?? ''
  const name =
    /filename="([^"]+)"/.exec(disposition)?.[1] ?? (disposition === 'inline' ? 'inline.pdf' : undefined)
  if (response.status !== 200 || !name) return []
  await mkdir(store, { recursive: true })
  await writeFile(join(store, name), response.body)
  if (!name.endsWith('.zip')) return [name]
  await run('unzip', ['-qo', join(store, name), '-d', store])
  const { stdout } = await run('unzip', ['-Z1', join(store, name)])
  return [name, ...stdout.trim().split('\n')]
}

function pathOf({ peer, store, files }: World, name = ''): string {
  if (name.startsWith('testdata/')) return join(peer.data, name)
  if (name.startsWith('teststore/')) return join(store, basename(name))
  return join(store, files.find(matching(name)) ?? name)
}

/** `*_0.pdf` is any file that ends like that. */
const matching = (name: string) => (file: string) =>
  name.startsWith('*') ? file.endsWith(name.slice(1)) : file === name

const pdfsOf = async ({ files, store }: World) =>
  files.filter((name) => name.endsWith('.pdf')).map((name) => join(store, name))

async function eachPdf(world: World, check: (path: string) => Promise<unknown> | unknown): Promise<void> {
  const pdfs = await pdfsOf(world)
  expect(pdfs.length).toBeGreaterThan(0)
  for (const path of pdfs) await check(path)
}

const collapseWhitespace = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

function withIgnored(value: unknown): unknown {
  if (value === 'ignore') return expect.anything()
  if (Array.isArray(value)) return value.map(withIgnored)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withIgnored(each)]))
}
