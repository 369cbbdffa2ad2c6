import type { OfficeResult } from './cold-soffice.ts'

/** The report's remark about sheets whose columns continue on another page. */
export function wideSheets({ untrustedReport }: Pick<OfficeResult, 'untrustedReport'>): string[] {
  const count = /^done wide (\d{1,5})\s/.exec(untrustedReport)?.[1]
  if (count === undefined) return []
  return [
    count === '1'
      ? 'One sheet is wider than its page: its columns continue on further pages, as Excel prints it. With the option `sheets` set to `fit-width` it is scaled to the width of a page.'
      : `${count} sheets are wider than their pages: their columns continue on further pages, as Excel prints them. With the option \`sheets\` set to \`fit-width\` they are scaled to the width of a page.`,
  ]
}
