import type { PageArgument } from '../../catalog/options/pages.ts'

// What the caller asks for, as a style sheet. It stands before the styles of the page, and outweighs them all the same.

export function askedStyle({ paper, margin, toc, pageNumbers }: PageArgument): string {
  const declarations = [
    ...(paper ? [`size: ${paper.size ?? 'A4'} ${paper.landscape ? 'landscape' : 'portrait'}`] : []),
    ...(margin === undefined ? [] : [`margin: ${margin}`]),
  ].map((each) => `${each} !important;`)
  const numbers = pageNumbers === undefined ? '' : numberBox(pageNumbers)
  const rules = [
    ...(declarations.length > 0 || numbers ? [`@page { ${declarations.join(' ')} ${numbers} }`] : []),
    // The first page of a book has a rule of its own.
    ...(numbers ? [`@page :first { ${numbers} }`] : []),
    // Books hide a short one.
    ...(toc ? ['#TOC { display: block !important; }'] : []),
  ]
  return rules.join('\n')
}

const numberBox = (shown: boolean): string =>
  `@bottom-center { content: ${shown ? 'counter(page)' : 'none'} !important; font-size: 9pt; }`
