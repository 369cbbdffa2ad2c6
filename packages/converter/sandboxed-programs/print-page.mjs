// Prints one page with Chromium, in the sandbox. Chromium gets its commands over its debugging pipe, so it can be
// started before there is a page: it opens a blank one, prints that, and waits. It is known when the page crashed, and
// fonts and pictures are waited for.
//
//   print-page.mjs CHROMIUM [FLAG]...
//
// It says `ready`, and reads the rest from stdin: fields that end with a zero byte; after an empty one the address of
// the page, the path of the PDF, `contents` or `plain` (does the page begin with a table of contents?) and how to print
// it, as JSON (print-settings.mjs). Without any it ends. Fields that are there from the start are taken at once.
//
// On the way it prints one line of JSON: what the page holds and could not show.
//
// Exit code 0 when the PDF is written. 3 when the page crashed, with the line `page crashed` and the reason on stderr. 4
// when none of the requested pages exists.

import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { connect } from './debugging-pipe.mjs'
import { applySettings } from './print-settings.mjs'

const pageCrashed = 3
const noSuchPages = 4
const crashMilliseconds = 10_000
const readBytes = 1 << 20
// Fonts and pictures come from the page itself. One that is not there by then will not come.
const resourceSeconds = 20

// Lazily loaded content is loaded for paper as well. A picture that cannot be shown is no reason to wait.
/** @param {readonly string[]} held addresses of the parts of the archive */
const everythingLoaded = (held) => `(async () => {
  const held = new Set(${JSON.stringify(held)})
  const pictures = [...document.images]
  for (const each of pictures) each.loading = 'eager'
  await Promise.race([
    Promise.all([document.fonts.ready, ...pictures.map((each) => each.decode().catch(() => {}))]),
    new Promise((resolve) => setTimeout(resolve, ${resourceSeconds * 1000})),
  ])
  // A URL outside the archive, whose own address has no host.
  const isElsewhere = (url) => /^https?:/.test(url) && !url.startsWith('https://page.invalid/')
  const count = (list, test) => [...list].filter(test).length
  const unseen = pictures.filter((each) => each.naturalWidth === 0)
  return {
    pictures: pictures.length,
    remotePictures: count(unseen, (each) => isElsewhere(each.currentSrc || each.src)),
    missingPictures: count(unseen, (each) => !isElsewhere(each.currentSrc || each.src)),
    remoteStyles: count(document.querySelectorAll('link[rel~=stylesheet]'), (each) => !each.href.startsWith('data:') && !held.has(each.href)),
    scripts: count(document.scripts, (each) => /^(|module|(text|application)\\/(java|ecma)script)$/.test(each.type)),
    frames: count(document.querySelectorAll('iframe[src], frame[src], object[data], embed[src]'), (each) => !/^(data|about):/.test(each.src ?? each.data) && !held.has(each.src ?? each.data)),
  }
})()`

// A list of the headings, each a link to its place, before all else on the page.
const withContents = `(() => {
  const headings = [...document.querySelectorAll('h1, h2, h3')].filter((each) => each.textContent.trim())
  if (headings.length === 0) return
  const list = document.createElement('nav')
  list.style.cssText = 'display: block; margin: 0 0 2em; break-after: page'
  for (const [index, heading] of headings.entries()) {
    heading.id ||= 'kiln-heading-' + index
    const link = document.createElement('a')
    link.href = '#' + encodeURIComponent(heading.id)
    link.textContent = heading.textContent.trim()
    link.style.cssText = 'display: block; color: inherit; text-decoration: none; margin-left: ' +
      (Number(heading.tagName[1]) - 1) * 1.5 + 'em'
    list.append(link)
  }
  document.body.prepend(list)
})()`

const [program = '', ...flags] = process.argv.slice(2)
const chromium = spawn(program, flags, { stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'] })
const [commands, answers] = [chromium.stdio[3], chromium.stdio[4]]
// The exit of Chromium is reported; errors of its pipes add nothing.
for (const pipe of [commands, answers]) pipe?.on('error', () => {})
const browser = connect(
  /** @type {import('node:stream').Writable} */ (commands),
  /** @type {import('node:stream').Readable} */ (answers),
)
const input = text(process.stdin)
let isOver = false

/** @param {number} code */
function end(code) {
  isOver = true
  chromium.kill('SIGKILL')
  process.exit(code)
}
chromium.once('error', (error) => {
  console.error(error.message)
  end(1)
})
chromium.once('exit', (code, signal) => {
  if (isOver) return
  console.error(`Chromium ended: code ${code}, signal ${signal}`)
  end(1)
})
browser.on('Target.targetCrashed', ({ status, errorCode }) => {
  console.error(`page crashed: ${status} ${errorCode}`)
  end(pageCrashed)
})

const page = await openPage()
let hasCome = false
void input.then(() => {
  hasCome = true
})
// A page of the same kind as the one to come keeps the process that shows it.
await prepare()
process.stdout.write('ready\n')
const fields = (await input).split('\0').slice(0, -1)
if (fields.length === 0) end(0)
const [address = '', target = '', contents = '', settings = 'null'] = fields.slice(fields.indexOf('') + 1)
try {
  const seen = await show(address)
  if (contents === 'contents') await browser.call('Runtime.evaluate', { expression: withContents }, page)
  const { product } = await browser.call('Browser.getVersion', {})
  process.stdout.write(`${JSON.stringify({ seen, product })}\n`)
  const parameters = await applySettings(JSON.parse(settings), (method, options) =>
    browser.call(method, options, page),
  )
  await writeFile(target, print(parameters))
  end(0)
} catch (error) {
  if (/page range|pageRanges/i.test(String(error))) {
    console.error('no such pages')
    end(noSuchPages)
  }
  // A command also fails because the page crashed, and that is reported a moment later. A page that did not still
  // answers.
  const crashed = () => setTimeout(crashMilliseconds)
  await Promise.race([browser.call('Runtime.evaluate', { expression: '1' }, page).catch(crashed), crashed()])
  console.error(error)
  end(1)
}

async function openPage() {
  await browser.call('Target.setDiscoverTargets', { discover: true })
  const { targetId } = await browser.call('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await browser.call('Target.attachToTarget', { targetId, flatten: true })
  await browser.call('Page.enable', {}, sessionId)
  return sessionId
}

async function prepare() {
  if (hasCome) return
  await show(new URL('blank.mhtml', import.meta.url).href)
  for await (const _ of print()) if (hasCome) return
}

/**
 * Addresses of the parts of an archive; their contents are base64 and hold no such line.
 * @param {string} url
 */
async function partsOf(url) {
  if (!url.endsWith('.mhtml')) return []
  const text = await readFile(new URL(url), 'latin1')
  return [...text.matchAll(/^Content-Location: (\S+)/gm)].map(([, location]) => location ?? '')
}

/** @param {string} url */
async function show(url) {
  const loaded = new Promise((resolve) => browser.on('Page.loadEventFired', resolve))
  const { errorText } = await browser.call('Page.navigate', { url }, page)
  if (errorText) throw new Error(`The page cannot be opened: ${errorText}`)
  await loaded
  const options = {
    expression: everythingLoaded(await partsOf(url)),
    awaitPromise: true,
    returnByValue: true,
  }
  return (await browser.call('Runtime.evaluate', options, page)).result?.value
}

/**
 * The PDF, piece by piece. Unless the parameters say otherwise, size and margins of the paper are those of the page's
 * style sheets.
 * @param {object} [parameters]
 */
async function* print(parameters) {
  const { stream: handle } = await browser.call(
    'Page.printToPDF',
    {
      transferMode: 'ReturnAsStream',
      printBackground: true,
      preferCSSPageSize: true,
      generateTaggedPDF: true,
      generateDocumentOutline: true,
      ...parameters,
    },
    page,
  )
  for (;;) {
    const { data, base64Encoded, eof } = await browser.call('IO.read', { handle, size: readBytes }, page)
    yield Buffer.from(data, base64Encoded ? 'base64' : 'utf8')
    if (eof) return
  }
}
