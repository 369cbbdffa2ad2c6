// Internet mail begins with header lines, and among the first of them are some that every mail has. A line that a mailbox
// puts before each mail may come first.

const knownHeads =
  /^(?:from|to|cc|subject|date|message-id|mime-version|received|return-path|delivered-to|reply-to|sender|content-type|dkim-signature|authentication-results):/i
const continuedOrHeader = /^(?:[ \t]|[!-9;-~]{1,200}:)/

const minKnown = 2

export const looksLikeMail = (head: Buffer): boolean => {
  const { known } = readHeaders(head)
  return known >= minKnown
}

/** Mail programs open a file of one header and a text as well, such as a part that was saved. */
export const mayBeMail = (head: Buffer): boolean => {
  const { known, isComplete } = readHeaders(head)
  return known > 0 && isComplete
}

/** How many of the first lines are known headers, and whether an empty line ends them. */
function readHeaders(head: Buffer): { known: number; isComplete: boolean } {
  const lines = head
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf|^\s+/, '')
    .replace(/^From .*\r?\n/, '')
    .split(/\r?\n/)
  // The last line may be cut off. Mail programs accept a broken line below the first headers.
  const end = lines.findIndex((line, index) => !continuedOrHeader.test(line) || index === lines.length - 1)
  const known = lines.slice(0, end).filter((line) => knownHeads.test(line)).length
  return { known, isComplete: lines[end]?.trim() === '' }
}
