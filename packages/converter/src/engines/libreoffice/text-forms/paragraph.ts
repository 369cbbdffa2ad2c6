import { withoutPrivateUse } from '../../../catalog/file-types/symbol-fonts.ts'
import type { Run } from './content.ts'

// The text of a paragraph while it is parsed: whitespace of the file collapses to a single space and is trimmed at both
// ends.

export interface OpenParagraph {
  add(untrusted: string): void
  /** Text that is not collapsible whitespace: explicit spaces, line breaks. */
  addExactly(text: string): void
  startLink(target: string): void
  endLink(): void
  close(): Run[]
}

const safeTarget = /^(?:https?|mailto|ftp|tel):/i

export function openParagraph(): OpenParagraph {
  const runs: Run[] = []
  let text = ''
  let link: string | undefined
  const flush = () => {
    if (text !== '') runs.push(link === undefined ? text : { text, link })
    text = ''
  }
  return {
    add(untrusted) {
      const plain = withoutPrivateUse(untrusted.replaceAll(/[ \t\r\n]+/g, ' '))
      const isAfterSpace = text === '' ? runs.length === 0 : /[ \n]$/.test(text)
      text += isAfterSpace && plain.startsWith(' ') ? plain.slice(1) : plain
    },
    addExactly(more) {
      text += more
    },
    startLink(target) {
      flush()
      link = safeTarget.test(target) ? target.trim().replaceAll(/\s/g, '%20') : undefined
    },
    endLink() {
      flush()
      link = undefined
    },
    close() {
      flush()
      const last = runs.at(-1)
      if (typeof last === 'string') runs[runs.length - 1] = last.trimEnd()
      return runs
    },
  }
}
