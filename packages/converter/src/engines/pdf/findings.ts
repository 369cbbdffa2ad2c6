import type { Findings } from '../../report/findings.ts'

// The report of the PDF engine about the file, in a line of JSON. It comes from the sandbox, so every field is
// validated.

export function pdfFindings(untrustedLine: string): Findings {
  let facts: Record<string, unknown>
  try {
    facts = (JSON.parse(untrustedLine) as { facts: Record<string, unknown> }).facts
  } catch {
    // Not the expected JSON: the report lacks these findings.
    return {}
  }
  const recognised = numbersIn(facts.recognised)
  const unread = numbersIn(facts.unread)
  const failed = numbersIn(facts.failed)
  const languages = Array.isArray(facts.languages) ? facts.languages.map(String) : []
  const missingScripts = Array.isArray(facts.missingScripts) ? facts.missingScripts.map(String) : []
  return {
    input: Object.fromEntries(
      counted.filter((name) => Number.isSafeInteger(facts[name])).map((name) => [name, facts[name]]),
    ),
    ...(recognised.length === 0
      ? {}
      : {
          recognized: {
            pages: rangesOf(recognised),
            count: recognised.length,
            languages,
            confidence: typeof facts.confidence === 'number' ? facts.confidence : null,
          },
        }),
    remarks: [
      ...(unread.length === 0 ? [] : [unreadRemark(unread)]),
      ...(failed.length === 0 ? [] : [failedRemark(failed)]),
      ...(missingScripts.length === 0 ? [] : [missingRemark(missingScripts)]),
    ],
  }
}

const counted = ['pages', 'words', 'pictures'] as const

const numbersIn = (untrusted: unknown): number[] =>
  Array.isArray(untrusted) ? untrusted.filter((each) => Number.isSafeInteger(each)) : []

/** `1-3, 7`. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const number of numbers) {
    const range = ranges.at(-1)
    if (range && number === range[1] + 1) range[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ')
}

const unreadRemark = (pages: readonly number[]) =>
  pages.length === 1
    ? `Page ${pages[0]} is a picture, and no text was read from it.`
    : `Pages ${rangesOf(pages)} are pictures, and no text was read from them.`

const failedRemark = (pages: readonly number[]) =>
  `Text recognition of ${pages.length === 1 ? 'page' : 'pages'} ${rangesOf(pages)} failed or took too long, and the text is missing. Scan again with less noise or at a lower resolution.`

const missingRemark = (scripts: readonly string[]) =>
  `Text in the script ${scripts.join(', ')} was not recognised: no language of that script is installed.`
