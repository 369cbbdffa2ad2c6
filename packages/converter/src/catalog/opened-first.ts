// Formats that our own program opens in the sandbox before an engine gets their content (src/sandboxed-programs).

const withParts = ['html', 'md', 'latex', 'rst'] as const
const mails = ['eml', 'msg'] as const

export type FormatWithParts = (typeof withParts)[number]

/** It refers to further files: pictures, style sheets, parts. It may come as a ZIP archive with all of them. */
export const comesWithParts = (name: string): name is FormatWithParts =>
  (withParts as readonly string[]).includes(name)

/** It becomes a page first. */
export const isMail = (name: string): name is (typeof mails)[number] =>
  (mails as readonly string[]).includes(name)
