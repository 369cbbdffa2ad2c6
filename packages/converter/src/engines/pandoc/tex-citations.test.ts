import { expect, test } from 'vitest'
import { numberedCitations } from './tex-citations.ts'

test('entries are numbered, and citations name the numbers', () => {
  const latex =
    String.raw`A \cite{b} \citep[p.~3]{a, c} \Citet*{b}\begin{thebibliography}{99}` +
    String.raw`\bibitem{a} One. % \bibitem{x}
\bibitem[Two\,{[}x{]}(1999)]
{b}
Two.\end{thebibliography}`
  expect(numberedCitations(latex)).toBe(
    String.raw`A \cite{2} \citep[p.~3]{1,c} \Citet*{2}\section*{References}\begin{enumerate}` +
      String.raw`\item  One. % \bibitem{x}
\item 
Two.\end{enumerate}`,
  )
})

test.each([String.raw`\cite{a} and \citep{b}`, String.raw`\verb|\bibitem{a}| \cite{a} \bibitemfont`])(
  '%j stays as it is',
  (latex) => expect(numberedCitations(latex)).toBe(latex),
)
