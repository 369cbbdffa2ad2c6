// Algorithms. Pandoc drops the commands of algorithmicx, algorithmic and algorithm2e, with what their arguments say.
// Definitions show them as lines, whose blocks are indented.

type Commands = readonly (readonly [definition: string, names: string])[]

const opening = String.raw`\begin{quote}`
const closing = String.raw`\end{quote}`
const line = (text: string) => String.raw`{\par ${text} }`
const block = (keyword: string, then: string) =>
  `[1]{\\par\\textbf{${keyword}} #1 \\textbf{${then}}${opening}}`
const procedure = (keyword: string) => `[2]{\\par\\textbf{${keyword}} \\textsc{#1}(#2)${opening}}`
const end = (keyword: string) => `{${closing}\\textbf{end ${keyword}}\\par }`

/** \If{condition} … \EndIf */
const separateEnds: Commands = [
  ['{\\par }', 'State STATE Statex'],
  ['{\\textbf{return} }', 'Return'],
  [line('\\textbf{return}'), 'RETURN'],
  [line('\\textbf{print}'), 'PRINT'],
  [line('\\textbf{Require:}'), 'Require REQUIRE'],
  [line('\\textbf{Ensure:}'), 'Ensure ENSURE'],
  [line('\\textbf{Input:}'), 'INPUT'],
  [line('\\textbf{Output:}'), 'OUTPUT'],
  ['[1]{ $\\triangleright$ #1}', 'Comment COMMENT'],
  ['[2]{\\textsc{#1}(#2)}', 'Call'],
  [block('if', 'then'), 'If IF'],
  [block('for', 'do'), 'For FOR'],
  [block('for all', 'do'), 'ForAll FORALL'],
  [block('while', 'do'), 'While WHILE'],
  [`{\\par\\textbf{loop}${opening}}`, 'Loop LOOP'],
  [`{\\par\\textbf{repeat}${opening}}`, 'Repeat REPEAT'],
  [procedure('function'), 'Function'],
  [procedure('procedure'), 'Procedure'],
  [`[1]{${closing}\\textbf{else if} #1 \\textbf{then}${opening}}`, 'ElsIf ELSIF'],
  [`{${closing}\\textbf{else}${opening}}`, 'Else ELSE'],
  [`[1]{${closing}\\textbf{until} #1\\par }`, 'Until UNTIL'],
  [end('if'), 'EndIf ENDIF'],
  [end('for'), 'EndFor ENDFOR'],
  [end('while'), 'EndWhile ENDWHILE'],
  [end('loop'), 'EndLoop ENDLOOP'],
  [end('function'), 'EndFunction'],
  [end('procedure'), 'EndProcedure'],
]

const nested = (keyword: string, then: string) =>
  `[2]{\\par\\textbf{${keyword}} #1 \\textbf{${then}}${opening}#2${closing}}`
const given = (label: string) => `[1]{\\par\\textbf{${label}:} #1\\par }`

/** \If{condition}{…} */
const nestedBlocks: Commands = [
  [given('Data'), 'KwData'],
  [given('Input'), 'KwIn Input'],
  [given('Output'), 'KwOut Output'],
  [given('Result'), 'KwResult'],
  ['[1]{\\textbf{return} #1}', 'KwRet Return'],
  ['[1]{ $\\triangleright$ #1\\par }', 'tcp tcc'],
  [nested('if', 'then'), 'If uIf lIf'],
  [nested('else if', 'then'), 'ElseIf uElseIf lElseIf'],
  [`[1]{\\par\\textbf{else}${opening}#1${closing}}`, 'Else uElse lElse'],
  [
    `[3]{\\par\\textbf{if} #1 \\textbf{then}${opening}#2${closing}\\textbf{else}${opening}#3${closing}}`,
    'eIf',
  ],
  [nested('for', 'do'), 'For lFor'],
  [nested('for each', 'do'), 'ForEach lForEach'],
  [nested('for all', 'do'), 'ForAll lForAll'],
  [nested('while', 'do'), 'While lWhile'],
  [`[2]{\\par\\textbf{repeat}${opening}#2${closing}\\textbf{until} #1\\par }`, 'Repeat'],
]

const begins =
  /\\(?:If|IF|For|FOR|ForAll|FORALL|While|WHILE|Loop|LOOP|Repeat|REPEAT|Function|Procedure)(?![A-Za-z@])/g
const ends =
  /\\(?:E(?:nd|ND)(?:If|IF|For|FOR|While|WHILE|Loop|LOOP|Function|Procedure)|Until|UNTIL)(?![A-Za-z@])/g

const hasNestedBlocks = (texts: readonly string[]) =>
  texts.some((text) =>
    /\\usepackage\s{0,3}(?:\[[^\][]{0,300}\])?\s{0,3}\{[^{}]{0,300}\balgorithm2e\b/.test(text),
  )

const count = (texts: readonly string[], command: RegExp) =>
  texts.reduce((sum, text) => sum + (text.match(command)?.length ?? 0), 0)

/** The commands that the packages of a document define. */
export function algorithmCommands(texts: readonly string[]): Commands {
  if (!texts.some((text) => /\\begin\{algorithm/.test(text))) return []
  if (hasNestedBlocks(texts)) return nestedBlocks
  if (count(texts, begins) === count(texts, ends)) return separateEnds
  // Blocks that do not end where they should are not indented: a quotation without an end is an error.
  return separateEnds.map(([definition, names]) => [
    definition.replaceAll(/\\(?:begin|end)\{quote\}/g, '\\par '),
    names,
  ])
}

const statementEnd = /\\;(?=[ \t]*(?:\r?\n|\}|$))/g

/** A statement of algorithm2e ends with a \; and a line; elsewhere it is a space in a formula. */
export const separateStatements = (latex: string): string =>
  hasNestedBlocks([latex]) ? latex.replaceAll(statementEnd, '\\par ') : latex
