import { readFile } from 'node:fs/promises'

// How a caller of a compatibility API wants a page printed (PrintSettings in catalog/options/internal.ts).

const pixelsPerInch = 96

/**
 * Applies what concerns the page, and returns the parameters of Page.printToPDF.
 * @param {import('../src/catalog/options/internal.ts').PrintSettings | null} settings
 * @param {(method: string, options: object) => Promise<any>} call
 */
export async function applySettings(settings, call) {
  if (settings === null) return {}
  const { media = '', mediaFeatures = '{}', omitBackground, singlePage, header, footer } = settings
  const features = Object.entries(JSON.parse(mediaFeatures)).map(([name, value]) => ({ name, value }))
  if (media || features.length > 0) await call('Emulation.setEmulatedMedia', { media, features })
  if (omitBackground)
    await call('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } })
  const { scale = 1, landscape = false, printBackground = false, pageRanges = '' } = settings
  const template = async (/** @type {string} */ name) => readFile(`/out/${name}.html`, 'utf8')
  return {
    landscape,
    printBackground,
    scale,
    pageRanges,
    preferCSSPageSize: settings.preferCSSPageSize ?? false,
    ...margins(settings),
    ...paperOf(settings),
    ...(singlePage ? await onePage(settings, call) : {}),
    generateTaggedPDF: settings.tagged || settings.outline || false,
    generateDocumentOutline: settings.outline ?? false,
    displayHeaderFooter: Boolean(header || footer),
    // An empty template would be replaced by one with the date and the title.
    headerTemplate: header ? await template('header') : '<span></span>',
    footerTemplate: footer ? await template('footer') : '<span></span>',
  }
}

/** @param {import('../src/catalog/options/internal.ts').PrintSettings} settings */
const paperOf = ({ paperWidth = 8.5, paperHeight = 11 }) => ({ paperWidth, paperHeight })

/** @param {import('../src/catalog/options/internal.ts').PrintSettings} settings */
const margins = ({ marginTop = 0, marginBottom = 0, marginLeft = 0, marginRight = 0 }) => ({
  marginTop,
  marginBottom,
  marginLeft,
  marginRight,
})

/**
 * A page as high as its content; in landscape also as wide. A page break of a style sheet still ends it; what follows is left out.
 * @param {import('../src/catalog/options/internal.ts').PrintSettings} settings
 * @param {(method: string, options: object) => Promise<any>} call
 */
async function onePage(settings, call) {
  const { marginTop, marginBottom, marginLeft, marginRight } = margins(settings)
  const { scale = 1, landscape = false } = settings
  const { paperWidth, paperHeight } = paperOf(settings)
  const sheetWidth = landscape ? Math.max(paperWidth, paperHeight) : paperWidth
  const inner = ((sheetWidth - marginLeft - marginRight) * pixelsPerInch) / scale
  const size = { width: Math.max(1, Math.round(inner)), height: 600, deviceScaleFactor: 1, mobile: false }
  await call('Emulation.setDeviceMetricsOverride', size)
  const { cssContentSize } = await call('Page.getLayoutMetrics', {})
  await call('Emulation.clearDeviceMetricsOverride', {})
  const inches = (/** @type {number} */ pixels) => (pixels * scale) / pixelsPerInch
  const width = landscape
    ? Math.max(sheetWidth, inches(cssContentSize.width) + marginLeft + marginRight)
    : sheetWidth
  // Rounding must not push the last line to another page.
  const height = inches(cssContentSize.height + 2) + marginTop + marginBottom
  return { landscape: false, paperWidth: width, paperHeight: height, pageRanges: settings.pageRanges || '1' }
}
