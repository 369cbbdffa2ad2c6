import type { Findings } from '../../report/findings.ts'

// The report of sandboxed-programs/print-page.mjs about the page, in a line of JSON. It comes from the sandbox, so every field is
// validated.

export function chromiumFindings(untrustedStdout: string): Findings {
  const line = untrustedStdout.split('\n').find((each) => each.startsWith('{"seen":')) ?? '{}'
  try {
    const { seen, product } = JSON.parse(line) as { seen?: Record<string, unknown>; product?: unknown }
    const count = (name: string) => Number(seen?.[name] ?? 0)
    const version = /\/(\d+(?:\.\d+)*)$/.exec(String(product ?? ''))?.[1]
    return {
      ...(version === undefined ? {} : { version }),
      input: { pictures: count('pictures') },
      leftOut: {
        'remote-pictures': count('remotePictures'),
        'missing-pictures': count('missingPictures'),
        'remote-styles': count('remoteStyles'),
        scripts: count('scripts'),
        frames: count('frames'),
      },
    }
  } catch {
    // Not the expected JSON: the report lacks these findings.
    return {}
  }
}
