// LaTeX in tokens, so that a command within a comment or verbatim text is not taken for one.

const verbatim = String.raw`\\begin\{(?<environment>(?:verbatim|lstlisting|minted|comment)\*?)\}[\s\S]*?(?:\\end\{\k<environment>\}|$)|\\verb\*?(?<delimiter>[^\w\s*])[^\n]*?(?:\k<delimiter>|\n|$)`
const other = String.raw`\\[A-Za-z@]+|\\[\s\S]|%[^\n]*`

/** Matches what is wanted, and everything that could contain it without meaning it. */
export const texTokens = (wanted: string): RegExp => new RegExp(`${verbatim}|${wanted}|${other}`, 'g')
