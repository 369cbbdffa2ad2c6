import type { OfficeResult } from './cold-soffice.ts'

/** What the report says of sheets that would have been cut across pages. */
export function fittedSheets({ untrustedReport }: Pick<OfficeResult, 'untrustedReport'>): string[] {
  const count = /^done fitted (\d{1,5})\s/.exec(untrustedReport)?.[1]
  if (count === undefined) return []
  const sheets =
    count === '1'
      ? 'One sheet is wider than its page and has no print set-up of its own: it was fitted to the width of a page.'
      : `${count} sheets are wider than their pages and have no print set-up of their own: they were fitted to the width of a page.`
  return [`${sheets} With the option \`sheets\` set to \`as-in-file\` they are printed as Excel prints them.`]
}
