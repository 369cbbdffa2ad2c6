import { expect, test } from 'vitest'
import { namedReferences } from './tex-references.ts'

const alone = (latex: string) => namedReferences(latex, true)

test.each([
  [
    'an equation',
    '\\begin{equation}\\label{e}x\\end{equation} \\eqref{e}, \\ref{e}, \\Cref{e}',
    '{}\\label{e}\\begin{equation}x\\tag{1}\\end{equation} (\\hyperref[e]{1}), \\hyperref[e]{1}, Equation~(\\hyperref[e]{1})',
  ],
  [
    'rows, of which some have no number',
    '\\begin{align}a\\\\b\\nonumber\\\\c\\label{c}\\\\d\\tag{*}\\label{d}\\end{align} \\ref{c} \\eqref{d}',
    '{}\\label{c}{}\\label{d}\\begin{align}a\\\\b\\nonumber\\\\c\\qquad\\text{(2)}\\\\d\\qquad\\text{(*)}\\end{align} \\hyperref[c]{2} (\\hyperref[d]{*})',
  ],
  [
    'parts of an equation',
    '\\begin{subequations}\\label{s}\\begin{gather}a\\\\b\\label{b}\\end{gather}\\end{subequations} \\ref{s} \\ref{b}',
    '\\begin{subequations}\\label{s}{}\\label{b}\\begin{gather}a\\\\b\\qquad\\text{(1b)}\\end{gather}\\end{subequations} \\hyperref[s]{1} \\hyperref[b]{1b}',
  ],
  ['a matrix', '\\begin{equation}\\begin{pmatrix}1\\\\2\\end{pmatrix}\\end{equation}', undefined],
  [
    'captions',
    '\\begin{figure*}\\caption[s]{F}\\label{f}\\end{figure*}\\begin{table}\\caption{T}\\end{table} \\autoref{f}',
    '\\begin{figure*}\\caption[s]{Figure 1: F}\\label{f}\\end{figure*}\\begin{table}\\caption{Table 1: T}\\end{table} Figure~\\hyperref[f]{1}',
  ],
  [
    'parts of a figure',
    '\\begin{figure}\\begin{subfigure}{1cm}\\caption{A}\\label{a}\\end{subfigure}\\caption{F}\\end{figure} \\cref{a}',
    '\\begin{figure}\\begin{subfigure}{1cm}\\caption{(a) A}\\label{a}\\end{subfigure}\\caption{Figure 1: F}\\end{figure} figure~\\hyperref[a]{1a}',
  ],
  [
    'items',
    '\\begin{enumerate}\\item a\\item\\begin{enumerate}\\item\\label{b}\\end{enumerate}\\end{enumerate}\\ref{b}',
    '\\begin{enumerate}\\item a\\item\\begin{enumerate}\\item\\label{b}\\end{enumerate}\\end{enumerate}\\hyperref[b]{2a}',
  ],
  [
    'sections',
    '\\section{A}\\label{a}\\section{B}\\label{b} \\ref{a}, \\cref{a,b}, \\nameref{a}',
    '\\section{A}\\label{a}\\section{B}\\label{b} \\ref{a}, sections~\\ref{a} \\& \\ref{b}, \\hyperref[a]{A}',
  ],
  [
    'theorems',
    '\\newtheorem{thm}{Theorem}\\begin{thm}\\label{t}\\end{thm}\\Cref{t}',
    '\\newtheorem{thm}{Theorem}\\begin{thm}\\label{t}\\end{thm}Theorem~\\ref{t}',
  ],
  [
    'another language',
    '\\usepackage[ngerman]{babel}\\begin{table}\\caption{T}\\label{t}\\end{table}\\cref{t}',
    '\\usepackage[ngerman]{babel}\\begin{table}\\caption{Tabelle 1: T}\\label{t}\\end{table}Tabelle~\\hyperref[t]{1}',
  ],
  [
    'chapters',
    '\\chapter{A}\\chapter{B}\\begin{figure}\\caption{F}\\end{figure}\\appendix\\chapter{C}\\begin{table}\\caption{T}\\end{table}',
    '\\chapter{A}\\chapter{B}\\begin{figure}\\caption{Figure 2.1: F}\\end{figure}\\appendix\\chapter{C}\\begin{table}\\caption{Table A.1: T}\\end{table}',
  ],
  [
    'text that is not TeX',
    '\\verb|\\ref{e}| \\begin{verbatim}\\cref{e}\\end{verbatim} % \\cref{e}',
    undefined,
  ],
])('%s', (_, latex, named) => expect(alone(latex)).toBe(named ?? latex))

test('a part of a document keeps its labels, and names what others mean', () => {
  const part =
    '\\begin{figure}\\caption{F}\\label{fig:a}\\end{figure} \\ref{fig:a}, \\cref{fig:b}, \\autoref{x}'
  expect(namedReferences(part, false)).toBe(
    '\\begin{figure}\\caption{F}\\label{fig:a}\\end{figure} \\ref{fig:a}, figure~\\ref{fig:b}, \\ref{x}',
  )
})

test.each([
  ['environments', '\\begin{figure}'.repeat(50_000)],
  ['items', '\\begin{enumerate}\\item\\label{a}'.repeat(30_000)],
  ['labels', '\\label{a}\\ref{a}'.repeat(30_000)],
  ['classes', `\\documentclass[${'german '.repeat(50_000)}`],
  ['packages', '\\usepackage [german ] {'.repeat(30_000)],
  ['theorems', '\\newtheorem{a}[b]'.repeat(30_000)],
])('many %s take linear time', (_, latex) => {
  const before = process.cpuUsage()
  alone(`\\label{x}${latex}`)
  const { user, system } = process.cpuUsage(before)
  expect(user + system).toBeLessThan(1_500_000)
})
