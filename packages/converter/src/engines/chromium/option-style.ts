import type { PageArgument } from '../../catalog/options/pages.ts'

// The caller's options as a style sheet. It precedes the styles of the page, and overrides them with !important.

export function optionStyle({ paper, margin, toc, pageNumbers }: PageArgument): string {
  const declarations = [
    ...(paper ? [`size: ${paper.size ?? 'A4'} ${paper.landscape ? 'landscape' : 'portrait'}`] : []),
    ...(margin === undefined ? [] : [`margin: ${margin}`]),
  ].map((each) => `${each} !important;`)
  const numbers = pageNumbers === undefined ? '' : numberBox(pageNumbers)
  const rules = [
    ...(declarations.length > 0 || numbers ? [`@page { ${declarations.join(' ')} ${numbers} }`] : []),
    // The first page of a book has a separate rule.
    ...(numbers ? [`@page :first { ${numbers} }`] : []),
    // Books hide a short one.
    ...(toc ? ['#TOC { display: block !important; }'] : []),
  ]
  return rules.join('\n')
}

const numberBox = (shown: boolean): string =>
  `@bottom-center { content: ${shown ? 'counter(page)' : 'none'} !important; font-size: 9pt; }`
