import type { Progress } from '../progress.ts'
import { columnsOf, fit, harmless, secondsText, sizeText } from './text.ts'

// Displays running conversions on stderr. On a terminal every file in progress has a bar for its upload, conversion and
// download, and a finished one leaves a line; elsewhere every change of stage is a line. Quiet mode shows failures
// only.

export interface Done {
  output: string
  bytes: number
  milliseconds: number
  /** Lines of the report, where one was asked for. */
  report: readonly string[]
}

export interface Row {
  progress(progress: Progress): void
  done(facts: Done): void
  /** `report`: its lines, where one was asked for. */
  failed(message: string, report?: readonly string[]): void
}

export interface Display {
  add(name: string): Row
  end(): void
}

export interface Screen {
  write(text: string): unknown
  isTTY?: boolean | undefined
  columns?: number | undefined
  rows?: number | undefined
}

export interface DisplayOptions {
  screen: Screen
  quiet: boolean
  color: boolean
  /** Whether the terminal shows more than ASCII. */
  unicode: boolean
}

const stageWords = {
  upload: 'uploading',
  queue: 'waiting',
  conversion: 'converting',
  download: 'downloading',
} as const

export function createDisplay(options: DisplayOptions): Display {
  if (options.quiet) return quietDisplay(options.screen)
  return options.screen.isTTY ? barsDisplay(options) : linesDisplay(options.screen)
}

const resultText = (name: string, facts: Done, arrow: string) => {
  const { output, bytes, milliseconds, report } = facts
  const result = `${name} ${arrow} ${harmless(output)} (${sizeText(bytes)}, ${secondsText(milliseconds)})`
  return withReport(result, report)
}

const withReport = (result: string, report: readonly string[] = []) =>
  [result, ...report.map((line) => `  ${harmless(line)}`)].join('\n')

const quietDisplay = (screen: Screen): Display => ({
  add: (name) => ({
    progress() {},
    done() {},
    failed: (message, report) =>
      screen.write(`${withReport(`${harmless(name)}: ${harmless(message)}`, report)}\n`),
  }),
  end() {},
})

function linesDisplay(screen: Screen): Display {
  return {
    add(name) {
      const shown = harmless(name)
      let stage: Progress['stage'] | null = null
      return {
        progress(progress) {
          if (progress.stage === stage) return
          stage = progress.stage
          const size = progress.total === null ? '' : ` ${sizeText(progress.total)}`
          screen.write(`${shown}: ${stageWords[stage]}${size}\n`)
        },
        done: (facts) => screen.write(`${resultText(shown, facts, '->')}\n`),
        failed: (message, report) =>
          screen.write(`${withReport(`${shown}: ${harmless(message)}`, report)}\n`),
      }
    },
    end() {},
  }
}

interface Bar {
  name: string
  progress: Progress | null
}

const redrawMilliseconds = 80
const barColumns = 24

function barsDisplay({ screen, color, unicode }: DisplayOptions): Display {
  const symbols = unicode
    ? { full: '█', empty: '░', done: '✓', failed: '✗', arrow: '→' }
    : { full: '#', empty: '-', done: 'ok', failed: '!!', arrow: '->' }
  const paint = (code: number, text: string) => (color ? `\x1b[${code}m${text}\x1b[0m` : text)
  const bars: Bar[] = []
  let finished: string[] = []
  let drawn = 0
  let turn = 0

  const draw = () => {
    const columns = Math.max(20, screen.columns ?? 80)
    // One row stays free, so that the top of the list never scrolls out of reach.
    const room = Math.max(1, (screen.rows ?? 24) - 2)
    const shown = bars.slice(0, room)
    const lines = shown.map((bar) => barLine(bar, columns - 1))
    if (bars.length > shown.length) lines.push(`  and ${bars.length - shown.length} more`)
    const up = drawn > 0 ? `\x1b[${drawn}A\r` : ''
    screen.write(`${up}\x1b[J${[...finished, ...lines].map((line) => `${line}\n`).join('')}`)
    finished = []
    drawn = lines.length
  }

  const barLine = ({ name, progress }: Bar, columns: number): string => {
    const word = fit(progress === null ? 'starting' : stageWords[progress.stage], 11)
    const fraction = progress?.fraction ?? null
    const percent = fraction === null ? '    ' : `${String(Math.floor(fraction * 100)).padStart(3)}%`
    const amount = progress?.total == null ? '' : ` of ${sizeText(progress.total)}`
    const tail = `${word} ${drawBar(fraction)} ${percent}${amount}`
    const left = columns - columnsOf(tail) - 3
    return left < 8 ? fit(`  ${name} ${word}`, columns) : `  ${fit(name, Math.min(left, 40))} ${tail}`
  }

  /** Without a percentage the bar is indeterminate: a segment moves along it. */
  const drawBar = (fraction: number | null): string => {
    const cells = Array.from({ length: barColumns }, (_, at) => {
      if (fraction !== null) return at < Math.floor(fraction * barColumns)
      return (at - turn + barColumns * 1000) % barColumns < 4
    })
    return cells.map((full) => (full ? symbols.full : symbols.empty)).join('')
  }

  const timer = setInterval(() => {
    turn = (turn + 1) % barColumns
    if (bars.length > 0) draw()
  }, redrawMilliseconds)

  return {
    add(name) {
      const bar: Bar = { name: harmless(name), progress: null }
      bars.push(bar)
      const leave = (line: string) => {
        bars.splice(bars.indexOf(bar), 1)
        finished.push(line)
        draw()
      }
      return {
        progress(progress) {
          bar.progress = progress
        },
        done: (facts) => leave(`${paint(32, symbols.done)} ${resultText(bar.name, facts, symbols.arrow)}`),
        failed: (message, report) =>
          leave(withReport(`${paint(31, symbols.failed)} ${bar.name}: ${harmless(message)}`, report)),
      }
    },
    end() {
      clearInterval(timer)
      if (bars.length > 0 || finished.length > 0) draw()
    },
  }
}
