// A figure is one measured number with its target. Figures without a target are shown for context and cannot fail.

export interface Target {
  sense: 'at least' | 'at most'
  value: number
}

export interface Figure {
  name: string
  seen: number
  unit: '' | 'ms' | '×'
  target?: Target
  /**
   * A rate or a wall time, which is unreliable if other processes use much of the machine. CPU time and memory are not
   * affected.
   */
  sensitive?: boolean
  /** Share of the machine that other processes used during this measurement; by default that of the whole suite. */
  others?: number
  /** The values that the figure is computed from: both rates, the spread. */
  detail: string
}

export type Verdict = 'pass' | 'falls short' | 'machine was busy' | ''

export const atLeast = (value: number): Target => ({ sense: 'at least', value })
export const atMost = (value: number): Target => ({ sense: 'at most', value })

export interface Conditions {
  /** 0.4 lets a figure miss its target by 40 %: the short form permits this much noise. */
  tolerance?: number
  /** Share of the machine that other processes used, if known. */
  others?: number | undefined
}

// Above this share, rates and wall times are not representative: a process that waits for the disk gets a CPU late.
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
