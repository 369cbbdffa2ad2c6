import type { Findings } from '../../report/findings.ts'

// The counts of safe-document.lua, from the line that it writes to stderr. It comes from the sandbox, so every field is
// validated.

export function pandocFindings(untrustedStderr: string): Findings {
  const line = /^kiln: (.{1,200})$/m.exec(untrustedStderr)?.[1] ?? ''
  const count = (name: string) => Number(new RegExp(`\\b${name}=(\\d{1,9})\\b`).exec(line)?.[1] ?? 0)
  const version = /\bversion=(\d+(?:\.\d+)*)/.exec(line)?.[1]
  const formulas = [...untrustedStderr.matchAll(/^\[WARNING\] Could not convert TeX math/gm)].length
  const parts = [...untrustedStderr.matchAll(/^\[WARNING\] Could not load include file/gm)].length
  return {
    ...(version === undefined ? {} : { version }),
    input: { pictures: count('pictures') },
    leftOut: {
      'remote-pictures': count('remote'),
      'missing-pictures': count('missing'),
      markup: count('markup'),
    },
    remarks: [
      ...(formulas === 0 ? [] : [formulaRemark(formulas)]),
      ...(parts === 0 ? [] : [partRemark(parts)]),
    ],
  }
}

const formulaRemark = (count: number) =>
  count === 1
    ? 'One formula could not be converted and is shown as TeX source.'
    : `${count} formulas could not be converted and are shown as TeX source.`

const partRemark = (count: number) =>
  `${count === 1 ? 'One part' : `${count} parts`} that the document includes ${count === 1 ? 'is' : 'are'} missing from the file. Send a ZIP archive of the document with its parts.`
