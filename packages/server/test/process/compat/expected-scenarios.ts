import type { Scenario } from './read-feature.ts'

// The expected results of Gotenberg's scenarios. docs/compatibility.md explains each reason.

/** The scenario starts a separate server, or a container with settings that have no equivalent in Kiln. */
export function needsHelper({ steps }: Scenario): boolean {
  return steps.some(
    ({ text, table }) =>
      /static server|concurrent|server request|file request|NOT log/.test(text) ||
      (/container with the following environment/.test(text) &&
        !table.every(([name = '']) => neutral.test(name))),
  )
}

/** Settings that do not affect the responses: authentication, telemetry, a choice of PDF engines. */
const neutral =
  /^(API_ENABLE_BASIC_AUTH|GOTENBERG_API_BASIC_AUTH_\w+|API_DISABLE_\w+_TELEMETRY|PDFENGINES_\w+_ENGINES)$/

export interface Reason {
  kind: 'refused' | 'open'
  why: string
  fits: (scenario: Scenario) => boolean
}

const named =
  (pattern: RegExp) =>
  ({ feature, name }: Scenario) =>
    pattern.test(`${feature}: ${name}`)

const asks =
  (pattern: RegExp) =>
  ({ steps }: Scenario) =>
    steps.some(({ table }) => table.some(([name = '']) => pattern.test(name)))

/** The first reason that fits counts. */
const reasons: readonly Reason[] = [
  { kind: 'refused', why: 'scripts', fits: asks(/^(waitForExpression|waitForSelector)$/) },
  { kind: 'refused', why: 'scripts', fits: named(/chromium_convert_\w+: .*\((Wait Delay|JavaScript|rAF)/) },
  { kind: 'refused', why: 'scripts', fits: asks(/^failOnConsoleExceptions$/) },
  { kind: 'refused', why: 'network', fits: named(/^chromium_convert_url|^chromium_screenshot_url/) },
  { kind: 'refused', why: 'network', fits: asks(/^(cookies|extraHttpHeaders|userAgent|failOnResource\w+)$/) },
  { kind: 'refused', why: 'network', fits: named(/Allow \/ Deny Lists/) },
  { kind: 'refused', why: 'screenshots', fits: named(/^chromium_screenshot/) },
  { kind: 'refused', why: 'Factur-X', fits: named(/Factur-X|factur-x \(Standalone/) },
  { kind: 'refused', why: 'recompression', fits: named(/^pdfengines_optimize|Optimize Images/) },
  { kind: 'refused', why: 'own text', fits: named(/^root: GET \/$/) },
  { kind: 'refused', why: 'one engine', fits: named(/unsupported|PDFtk - user password only/) },
  { kind: 'refused', why: 'diagnostics', fits: named(/^debug|^prometheus/) },
  {
    kind: 'refused',
    why: 'tags',
    fits: ({ feature, steps }) =>
      feature.startsWith('pdfengines') &&
      steps.some(
        ({ table }) =>
          table.some(([name]) => name === 'pdfua') && table.some(([, value]) => value === 'true'),
      ),
  },
  { kind: 'open', why: 'scrolled sheets', fits: named(/scrolled workbook/) },
]

const reasonFor = (scenario: Scenario): Reason | undefined => reasons.find(({ fits }) => fits(scenario))
export const expectedToPass = (scenario: Scenario): boolean => reasonFor(scenario) === undefined
