import { type FormatName, formats } from './formats.ts'

export type { FormatName }

// Lanes keep slow work from holding up quick work: each has its own queue and its own slots.
export const lanes = ['office', 'document', 'pdf', 'video'] as const
export type Lane = (typeof lanes)[number]

export interface Pair {
  slug: string
  from: FormatName
  to: FormatName
  label: string
  engine: string
  lane: Lane
  maxBytes: number
  credits: number
}

const megabyte = 1024 * 1024

const document = (from: FormatName, to: FormatName): Pair => ({
  slug: `${from}-to-${to}`,
  from,
  to,
  label: `${formats[from].label} to ${formats[to].label}`,
  engine: 'pandoc',
  lane: 'document',
  maxBytes: 50 * megabyte,
  credits: 1,
})

// To add a pair: one row here, a fixture, a requirement.
export const pairs: readonly Pair[] = [
  document('md', 'html'),
  document('md', 'docx'),
]
