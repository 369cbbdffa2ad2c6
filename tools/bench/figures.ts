// A figure is one number that was seen, with the target it is held against. Figures without a target
// are shown for context and cannot fail.

export interface Target {
  sense: 'at least' | 'at most'
  value: number
}

export interface Figure {
  name: string
  seen: number
  unit: '' | 'ms' | 'MB' | 'requests/s' | 'MB/s' | '×'
  target?: Target
  /** A rate or a time: it says little when others use much of the machine. CPU time and memory do not mind. */
  sensitive?: boolean
  /** Share of the machine that others used while this figure was taken; that of the whole suite when absent. */
  others?: number
  /** What the number was made of: both rates, the spread. */
  detail: string
}

export type Verdict = 'pass' | 'falls short' | 'machine was busy' | ''

export const atLeast = (value: number): Target => ({ sense: 'at least', value })
export const atMost = (value: number): Target => ({ sense: 'at most', value })

export interface Conditions {
  /** 0.4 lets a figure miss its target by 40 %: the short form allows that much for noise. */
  tolerance?: number
  /** Share of the machine that others used meanwhile, where it is known. */
  others?: number | undefined
}

// When others take that much, a rate or a time says more about them than about us: a process that used the
// processor before waiting for the disk gets it back late.
export const busyShare = 0.3

export function verdict(figure: Figure, { tolerance = 0, others = 0 }: Conditions): Verdict {
  const { target, seen, sensitive } = figure
  if (!target) return ''
  const met =
    target.sense === 'at least'
      ? seen >= target.value * (1 - tolerance)
      : seen <= target.value * (1 + tolerance)
  if (met) return 'pass'
  return sensitive && (figure.others ?? others) > busyShare ? 'machine was busy' : 'falls short'
}

function formatNumber(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en-US')
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

export const formatSeen = (figure: Figure): string => `${formatNumber(figure.seen)} ${figure.unit}`.trim()

export const formatTarget = ({ target, unit }: Figure): string =>
  target ? `${target.sense === 'at least' ? '≥' : '≤'} ${target.value} ${unit}`.trim() : '–'
