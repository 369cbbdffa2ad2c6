import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pdfText } from '@kiln/test-support/pdf-facts.ts'
import { openTestConverter, pairsOf, type TestConverter } from '@kiln/test-support/test-converter.ts'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { bareChromium, type Canary, openCanary } from '../fixtures/canary.ts'
import { againstPlain } from '../fixtures/plain-engine.ts'

// Each starts programs; a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

// Pages that try to run programs, to read files and to connect to servers. Each runs twice: in a Chromium without
// a sandbox, where it must succeed, and through the engine in a pre-warmed sandbox, where it must not.

const plainEngine = againstPlain('chromium-headless-shell')
let kiln: TestConverter
let canary: Canary
beforeAll(async () => {
  kiln = await openTestConverter({ pairs: pairsOf('chromium'), withPool: true })
  canary = await openCanary()
})
afterAll(async () => {
  await canary.close()
  await kiln.close()
})
beforeEach(() => canary.forget())

const convert = (page: string) => kiln.convert(page, 'html', 'pdf')
const bareText = async (page: string) => pdfText((await bareChromium(page, canary)).pdf ?? '')
const picturesIn = async (pdf: string) =>
  (await promisify(execFile)('pdfimages', ['-list', pdf])).stdout.trim().split('\n').length - 2

test.each([
  ['a script in the page', '<p>text<script>document.body.append("JS" + "RAN")</script>'],
  ['a script in an attribute', '<p>text<svg onload="document.body.append(`JS` + `RAN`)"></svg>'],
])('%s', async (_, page) => {
  await plainEngine(async () => expect(await bareText(page)).toContain('JSRAN'))
  expect(await pdfText(await convert(page))).toMatch(/^(?![\s\S]*JSRAN)[\s\S]*text/)
})

test('a script in a frame', async () => {
  const page = `<p>text<iframe srcdoc="<body><script>document.body.append('JS' + 'RAN')</script>"></iframe>`
  await plainEngine(async () => expect(await bareText(page)).toContain('JSRAN'))
  expect(await pdfText(await convert(page))).not.toContain('JSRAN')
})

test.each(['iframe src', 'embed src', 'object data'])('a file of the host in %s', async (place) => {
  const secret = join(canary.folder, 'secret.txt')
  await writeFile(secret, 'HOST-SECRET')
  const page = `<p>text<${place}="file://${secret}" width="300" height="100"></${place.split(' ')[0]}>`
  await plainEngine(async () => expect(await bareText(page)).toContain('HOST-SECRET'))
  expect(await pdfText(await convert(page))).not.toContain('HOST-SECRET')
})

test('a picture of the host', async () => {
  const page = `<p>text<img src="${canary.pictureUrl}">`
  await plainEngine(async () =>
    expect(await picturesIn((await bareChromium(page, canary)).pdf ?? '')).toBeGreaterThan(0),
  )
  // The sign for a missing picture has no file behind it; the secret would be one of 2 by 2 dots.
  const { stdout } = await promisify(execFile)('pdfimages', ['-list', await convert(page)])
  expect(stdout).not.toMatch(/image\s+2\s+2\s/)
})

test('the sandbox itself: its mounts, its environment, its input folder', async () => {
  const frames = ['/proc/self/mountinfo', '/proc/self/environ', '/proc/self/cmdline', '/in/', '/out/', '/']
  const page = `<p>text${frames.map((path) => `<iframe src="file://${path}" width="600" height="200"></iframe>`).join('')}`
  const text = await pdfText(await convert(page))
  expect(text).toContain('text')
  expect(text).not.toMatch(/kiln|XDG|Index of|prlimit|page\.mhtml|ro,nosuid/)
})

test('calls to the network', async () => {
  const page =
    `<link rel="stylesheet" href="${canary.url}?css"><style>@import "${canary.url}?import"; body { background: url("${canary.url}?bg") }` +
    ` @font-face { font-family: f; src: url("${canary.url}?font") } p { font-family: f }</style>` +
    `<p>text<img src="${canary.url}?img"><iframe src="${canary.url}?frame"></iframe><video src="${canary.url}?video"></video>` +
    `<meta http-equiv="refresh" content="0; url=${canary.url}?refresh">`
  await plainEngine(async () => {
    await bareChromium(page, canary)
    expect(canary.hits()).toBeGreaterThan(0)
  })
  canary.forget()
  expect(await pdfText(await convert(page))).toContain('text')
  expect(canary.hits()).toBe(0)
})

test('a tile of one dot as the background costs nothing', async () => {
  const page = `<body background="${canary.url}"><table background="${canary.url}"><tr><td>text</table>`
  const started = performance.now()
  expect(await pdfText(await convert(page))).toContain('text')
  expect(performance.now() - started).toBeLessThan(60_000)
  expect(canary.hits()).toBe(0)
})
