import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { docxWith } from '@kiln/test-support/documents.ts'
import { freePort } from '@kiln/test-support/free-port.ts'
import { onePage } from '@kiln/test-support/pdf-file.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { admin, type ServiceProcess, startService } from '../service-process.ts'
import { expectedToPass, needsHelper } from './expected-scenarios.ts'
import { testExtraction } from './extraction-suite.ts'
import { readFeature, type Scenario } from './read-feature.ts'
import { pageText, pdfInfo } from './read-pdf.ts'
import { type Peer, runScenario } from './run-scenario.ts'

// One service with all compatibility APIs, as their clients see it. Gotenberg's own scenarios run where they are at hand:
// in the folder that KILN_E2E_GOTENBERG names, with `features` and `testdata`, or in shared/compat beside the repository.
// The first of each of its files runs with `npm test`, the others are slow.

const repository = fileURLToPath(new URL('../../../../../', import.meta.url))
const outside = process.env.KILN_E2E_GOTENBERG ?? join(repository, '../shared/compat/gotenberg')
const ownScenarios = fileURLToPath(new URL('./scenarios/own.feature', import.meta.url))

let folder: string
let service: ServiceProcess
const peer: Peer = { base: '', key: '', version: '', data: '', log: () => service.output() }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-compat-'))
  const port = await freePort()
  service = await startService(join(folder, 'data'), {
    KILN_COMPAT: 'gotenberg,tika,docling',
    KILN_COMPAT_PORT: String(port),
    KILN_COMPAT_MAX_BYTES: String(20 * 1024 * 1024),
    KILN_FREE_JOBS_PER_MONTH: '100000',
    KILN_WAITING_DOCUMENTS: '1',
    KILN_WEBHOOKS_TO_PRIVATE: '1',
  })
  await vi.waitFor(() => expect(service.output()).toMatch(/kiln_live_[0-9A-Za-z]{38}/), { timeout: 20_000 })
  peer.base = `http://127.0.0.1:${port}`
  peer.key = /kiln_live_[0-9A-Za-z]{38}/.exec(service.output())?.[0] as string
  peer.version = JSON.parse(readFileSync(join(repository, 'packages/server/package.json'), 'utf8')).version
  peer.data = join(folder, 'own')
  await mkdir(join(peer.data, 'testdata'), { recursive: true })
  for (const [name, text] of Object.entries(ownFiles))
    await writeFile(join(peer.data, 'testdata', name), text)
})

afterAll(async () => {
  await service?.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const ownFiles = {
  'letter.txt': 'Dear reader,\nthis is a letter.\n',
  'table.csv': 'Name,Amount\nAnna,100\n',
  'index.html': '<!doctype html><h1>One</h1><p style="break-before: page">Two</p>',
  'header.html': '<html><body style="font-size: 10px">Running head</body></html>',
}

describe('scenarios of our own', () => {
  for (const scenario of readFeature('own', readFileSync(ownScenarios, 'utf8')))
    test(scenario.name, () => runScenario(scenario, peer, folder))
})

const post = async (
  path: string,
  files: Record<string, string | Uint8Array>,
  fields: Record<string, string> = {},
  key = peer.key,
) => {
  const form = new FormData()
  for (const [name, content] of Object.entries(files))
    form.append('files', new Blob([Buffer.from(content)]), name)
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return fetch(peer.base + path, {
    method: 'POST',
    headers: { 'x-api-key': key, 'gotenberg-output-filename': '../../etc/out' },
    body: form,
  })
}

test('a request does not wait behind the many of another account', { tags: 'slow' }, async () => {
  const made = await admin(join(folder, 'data'), 'account', 'create', '--name', 'other', '--json')
  const { key } = JSON.parse(made.stdout).key
  const files = { 'letter.txt': ownFiles['letter.txt'] }
  let ended = 0
  const convert = async (given?: string) => {
    const answer = await post('/forms/libreoffice/convert', files, {}, given)
    await answer.arrayBuffer()
    ended += 1
    return answer.status
  }
  const crowd = Array.from({ length: 16 }, () => convert())
  await expect.poll(() => ended).toBeGreaterThan(0)
  const before = ended
  expect(await convert(key)).toBe(200)
  // Those that run already, one each that begins meanwhile, and the request itself.
  expect(ended - before).toBeLessThanOrEqual(8)
  expect(new Set(await Promise.all(crowd))).toEqual(new Set([200]))
})

test('fields of a form are those of a form, unless it asks for a print', async () => {
  const control =
    '<w:sdt><w:sdtPr><w:text/></w:sdtPr><w:sdtContent><w:r><w:t>Name</w:t></w:r></w:sdtContent></w:sdt>'
  const files = { 'form.docx': docxWith(`<w:p>${control}</w:p>`) }
  const hasForm = async (fields: Record<string, string>) => {
    const answer = await post('/forms/libreoffice/convert', files, fields)
    return Buffer.from(await answer.arrayBuffer()).includes('/AcroForm')
  }
  expect(await hasForm({})).toBe(true)
  expect(await hasForm({ exportFormFields: 'false' })).toBe(false)
})

testExtraction(peer)

test("other people's clients work unchanged", async () => {
  const program = fileURLToPath(new URL('./real-clients.mjs', import.meta.url))
  const files = await mkdtemp(join(folder, 'clients-'))
  await writeFile(join(files, 'letter.txt'), ownFiles['letter.txt'])
  const address = peer.base.replace('//', `//kiln:${peer.key}@`)
  const read = await promisify(execFile)(process.execPath, [program, address, files])
  expect(await pageText(join(files, 'html.pdf'))).toMatch(/^A page/)
  expect((await pdfInfo(join(files, 'html.pdf')))['Page size']).toMatch(/^792 x 612 pts/)
  expect(await pageText(join(files, 'markdown.pdf'))).toMatch(/^A text/)
  expect(await pageText(join(files, 'merged.pdf'), '2')).toMatch(/^Dear reader/)
  expect(JSON.parse(read.stdout)).toMatchObject({
    version: peer.version,
    text: expect.stringMatching(/^Dear reader,\s+this is a letter\.$/m),
    html: expect.stringContaining('<p>this is a letter.</p>'),
    metadata: { 'Content-Type': 'application/pdf', 'xmpTPg:NPages': '1' },
  })
})

describe('attacks through these APIs', () => {
  const textIn = async (answer: Response) => {
    const path = join(await mkdtemp(join(folder, 'attack-')), 'out.pdf')
    await writeFile(path, Buffer.from(await answer.arrayBuffer()))
    return (await promisify(execFile)('pdftotext', [path, '-'])).stdout
  }

  test('a page reads no file of the machine and reaches no server, and its name is no path', async () => {
    let hits = 0
    const canary = createServer((_, response) => {
      hits += 1
      response.end('reached')
    })
    await new Promise<void>((done) => canary.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`
    const page = `<!doctype html><link rel=stylesheet href="${url}/a.css"><img src="${url}/b.png"><iframe src="file:///etc/passwd"></iframe><object data="file:///proc/self/environ"></object><script>fetch("${url}/c")</script><p>Honest words`
    const answer = await post('/forms/chromium/convert/html', { 'index.html': page })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="out.pdf"')
    const text = await textIn(answer)
    expect(text).toContain('Honest words')
    expect(text).not.toMatch(/root:|KILN_|reached/)
    expect(hits).toBe(0)
    canary.close()
  })

  test('scripts and launches of a PDF are gone from its PDF/A, and a damaged one is refused', async () => {
    const actions =
      '/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /Launch /F (calc.exe) >> >>] /AA << /O << /S /JavaScript /JS (app.alert\\(1\\)) >> >>'
    const file = onePage('BT /F1 12 Tf 72 720 Td (Honest words) Tj ET', actions)
    const archived = await post('/forms/pdfengines/convert', { 'a.pdf': file }, { pdfa: 'PDF/A-2b' })
    expect(archived.status).toBe(200)
    const path = join(folder, 'archived.pdf')
    await writeFile(path, Buffer.from(await archived.arrayBuffer()))
    const { stdout } = await promisify(execFile)('qpdf', ['--qdf', '--object-streams=disable', path, '-'])
    expect(stdout).not.toMatch(/Launch|JavaScript/)
    const damaged = await post(
      '/forms/pdfengines/convert',
      { 'a.pdf': '%PDF-1.7 nothing' },
      { pdfa: 'PDF/A-2b' },
    )
    expect([damaged.status, await damaged.text()]).toEqual([400, expect.stringMatching(/damaged/)])
  })

  test('a PDF is split into more files than the sandbox may run programs', async () => {
    const text = onePage('BT /F1 12 Tf 72 720 Td (Honest words) Tj ET').toString('latin1')
    const file = Buffer.from(
      text.replace('/Count 1', '/Count 80').replace('[3 0 R]', `[${'3 0 R '.repeat(80)}]`),
      'latin1',
    )
    const answer = await post(
      '/forms/pdfengines/split',
      { 'a.pdf': file },
      { splitMode: 'intervals', splitSpan: '1' },
    )
    expect(answer.status).toBe(200)
    const path = join(folder, 'split.zip')
    await writeFile(path, Buffer.from(await answer.arrayBuffer()))
    const { stdout } = await promisify(execFile)('unzip', ['-Z1', path])
    expect(stdout.trim().split('\n')).toEqual(Array.from({ length: 80 }, (_, index) => `a_${index}.pdf`))
  })

  // A split into as many files as such a PDF declares would start as many programs.
  test.each([
    ['split', { splitMode: 'intervals', splitSpan: '1' }],
    ['merge', {}],
    ['encrypt', { userPassword: 'a' }],
    ['flatten', {}],
  ])('a PDF that declares a wrong number of pages is refused: %s', async (route, fields) => {
    const text = onePage('BT /F1 12 Tf 72 720 Td (Honest words) Tj ET').toString('latin1')
    const file = Buffer.from(text.replace('/Count 1', '/Count 99999999'), 'latin1')
    const answer = await post(`/forms/pdfengines/${route}`, { 'a.pdf': file, 'b.pdf': file }, fields)
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringMatching(/damaged/)])
  })
})

if (existsSync(join(outside, 'features'))) {
  const all = readdirSync(join(outside, 'features')).flatMap((name): Scenario[] =>
    readFeature(name.replace('.feature', ''), readFileSync(join(outside, 'features', name), 'utf8')),
  )
  const chosen = all.filter((scenario) => !needsHelper(scenario) && expectedToPass(scenario))
  describe("Gotenberg's scenarios", () => {
    const features = Map.groupBy(chosen, ({ feature }) => feature).values()
    const firsts = new Set([...features].map(([first]) => first))
    for (const scenario of chosen)
      test.concurrent(
        `${scenario.feature}: ${scenario.name}`,
        { tags: firsts.has(scenario) ? [] : ['slow'] },
        () => runScenario(scenario, { ...peer, data: outside }, folder),
      )
    test('are as many as were counted', () => expect(chosen.length).toBeGreaterThanOrEqual(180))
  })
}
