import { createReadStream } from 'node:fs'
import { type Output, packFiles } from '../outputs.ts'
import { type Fields, InvalidForm, isDocument, openFields } from './fields.ts'
import { archiveSteps, checkSteps, readArchiveFormat, readSplit, readSteps } from './steps.ts'
import { applySteps, convertTo, hasFailedWith, type Work } from './work.ts'

// POST /forms/chromium/convert/html and …/markdown: a page with its assets to PDF, with Gotenberg's default paper size.
// Kiln's Chromium runs no scripts and has no network access: fields that need either are refused.

const letter = { width: 8.5, height: 11, margin: 0.39 }

/** In the order in which their errors are reported. */
function readPrint(fields: Fields) {
  fields.flag('skipNetworkIdleEvent', false)
  fields.flag('skipNetworkAlmostIdleEvent', false)
  fields.json('failOnHttpStatusCodes')
  fields.json('failOnResourceHttpStatusCodes')
  const failsOn = [
    fields.flag('failOnResourceLoadingFailed', false) ? 'failOnResourceLoadingFailed' : '',
    fields.flag('failOnConsoleExceptions', false) ? 'failOnConsoleExceptions' : '',
  ].filter(Boolean)
  const waits = fields.duration('waitDelay') > 0
  const media = fields.choice(
    'emulatedMediaType',
    ['screen', 'print'],
    "wrong value, expected either 'screen', 'print' or empty",
  )
  const mediaFeatures = fields.json('emulatedMediaFeatures')
  const settings = {
    omitBackground: fields.flag('omitBackground', false),
    landscape: fields.flag('landscape', false),
    printBackground: fields.flag('printBackground', false),
    scale: fields.number('scale', 1),
    singlePage: fields.flag('singlePage', false),
    paperWidth: fields.length('paperWidth', letter.width),
    paperHeight: fields.length('paperHeight', letter.height),
    marginTop: fields.length('marginTop', letter.margin),
    marginBottom: fields.length('marginBottom', letter.margin),
    marginLeft: fields.length('marginLeft', letter.margin),
    marginRight: fields.length('marginRight', letter.margin),
    preferCSSPageSize: fields.flag('preferCssPageSize', false),
    outline: fields.flag('generateDocumentOutline', false),
    tagged: fields.flag('generateTaggedPdf', false),
    pageRanges: fields.text('nativePageRanges'),
    ...(media ? { media } : {}),
    ...(mediaFeatures === undefined ? {} : { mediaFeatures: JSON.stringify(mediaFeatures) }),
  }
  return { settings, waits, failsOn }
}

const needsNetwork = ['cookies', 'extraHttpHeaders', 'userAgent', 'failOnResourceHttpStatusCodes'] as const
const needsScripts = ['waitForExpression', 'waitForSelector'] as const

/** These fields are validated as Gotenberg validates them, and then refused. */
function readRefused(fields: Fields): string | undefined {
  const cookies = fields.json('cookies')
  for (const [index, cookie] of (Array.isArray(cookies) ? cookies : []).entries()) {
    const { name, value, domain } = cookie as Record<string, unknown>
    if (!name || !value || !domain)
      fields.fault(
        `form field 'cookies' is invalid (got '${fields.text('cookies')}', resulting to cookie ${index} must have its name, value and domain set)`,
      )
  }
  fields.json('extraHttpHeaders')
  const network = needsNetwork.find((name) => fields.has(name))
  if (network)
    return `Kiln does not fetch anything from the network while it prints a page, so '${network}' has no effect. Remove it, and upload what the page needs.`
  const script = needsScripts.find((name) => fields.has(name))
  return (
    script &&
    `Kiln does not run scripts of a page, so '${script}' cannot be waited for. Remove it, and upload the finished page.`
  )
}

/** `kind` is the route. With Markdown, the page names the files to insert. */
export async function convertPage(work: Work, kind: 'html' | 'markdown'): Promise<Output> {
  const fields = openFields(work.form)
  const { settings, waits, failsOn } = readPrint(fields)
  const index = fields.file('index.html')
  const markdown = kind === 'markdown' ? fields.filesWith(['.md']) : []
  const refusal = readRefused(fields)
  const split = readSplit(fields)
  const archive = readArchiveFormat(fields)
  const { steps, entries } = readSteps(fields)
  fields.done()
  const all = { ...(split ? { split } : {}), ...steps }
  checkSteps(all)
  if (!index) throw new InvalidForm("Invalid form data: form file 'index.html' is required")
  if (settings.omitBackground && !settings.printBackground)
    throw new InvalidForm('omitBackground requires printBackground set to true')
  const { pageRanges } = settings
  if (pageRanges !== '' && !/^[\d,\s-]{1,200}$/.test(pageRanges))
    throw new InvalidForm(
      `Chromium does not handle the page ranges '${pageRanges}' (nativePageRanges) syntax`,
    )
  if (settings.scale < 0.1 || settings.scale > 2) throw new InvalidForm(aberrant)
  if (refusal) throw new InvalidForm(refusal)
  if (failsOn.length > 0)
    throw new InvalidForm(
      `Kiln does not run scripts or load anything from the network, so '${failsOn[0]}' cannot be checked. Remove it.`,
    )
  if (waits && (await hasScript(index.path)))
    throw new InvalidForm(
      "Kiln does not run scripts of a page, so 'waitDelay' would wait for nothing. Remove it, and upload the finished page.",
    )
  const further = archiveSteps(archive, steps)
  const parts = work.form.files.filter((file) => isDocument(file) && file !== index)
  const names = new Set(parts.map(({ name }) => name))
  const [header, footer] = [names.has('header.html'), names.has('footer.html')]
  const tagged = settings.tagged || archive.format.pdfua === true
  const print = { ...settings, tagged, header, footer, markdown: markdown.length > 0 }
  const path =
    parts.length === 0
      ? index.path
      : await packFiles(
          work.folder,
          'page.zip',
          distinct([index, ...parts]).map(({ name, path }) => ({ name, path })),
        )
  const input = { pair: 'html-to-pdf', path, options: { printSettings: JSON.stringify(print) } }
  const page = await convertTo(work, input, `${work.baseName}.pdf`).catch((error: unknown) => {
    const missing =
      hasFailedWith(error, 'unsupported') && /^Markdown files not found: (.*)\.$/.exec(error.message)
    if (missing) throw new InvalidForm(`Markdown file(s) not found: ${missing[1]?.replaceAll(', ', '\n')}`)
    if (hasFailedWith(error, 'unsupported') && pageRanges !== '')
      throw new InvalidForm(`The page ranges '${pageRanges}' (nativePageRanges) exceeds the page count`)
    throw error
  })
  return applySteps(work, [page], { steps: { ...all, ...further }, entries })
}

const aberrant = 'Chromium does not handle the provided settings; please check for aberrant form values'

/** When two files have the same name, the later one wins. */
const distinct = <File extends { name: string }>(files: readonly File[]): File[] => [
  ...new Map(files.map((file) => [file.name, file])).values(),
]

async function hasScript(path: string): Promise<boolean> {
  let rest = ''
  for await (const chunk of createReadStream(path, 'latin1')) {
    if (/<script[\s>/]/i.test(rest + chunk)) return true
    rest = String(chunk).slice(-10)
  }
  return false
}
