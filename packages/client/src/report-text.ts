import type { ConversionReport, Counts, ReplacedFont, TextEncoding } from '@kiln/contract'

// A report in a few lines, for users and for models: the engine, the substitutions, then the warnings.

export function reportLines(report: ConversionReport): string[] {
  const { engine, seconds, encoding, recognized, more } = report
  const program = engine ? [engine.name, engine.version].filter((each) => each !== null).join(' ') : ''
  const took = seconds === null ? '' : `${seconds.toFixed(1)} s`
  const pages = recognized && `${recognized.count === 1 ? 'page' : 'pages'} ${recognized.pages}`
  return [
    ...line('', [program, took, counts(report.input, report.output)]),
    ...line('Encoding: ', encoding && encoding.name !== 'utf-8' ? [encodingText(encoding)] : []),
    ...line('Fonts: ', list(report.fonts.map(fontText), more.fonts)),
    ...line('Recognised: ', recognized && pages ? [pages, recognized.languages.join(' and ')] : []),
    ...line('Streams: ', list(report.streams.map(streamText), more.streams)),
    ...report.warnings.map((warning) => `Warning: ${warning}`),
    ...(more.warnings > 0 ? [`And ${more.warnings} more warnings.`] : []),
  ]
}

const line = (name: string, parts: readonly string[]): string[] => {
  const text = parts.filter((part) => part !== '').join(', ')
  return text === '' ? [] : [name + text]
}

const list = (entries: readonly string[], more: number): string[] =>
  more > 0 ? [...entries, `and ${more} more`] : [...entries]

const encodingText = ({ name, confidence, by }: TextEncoding): string =>
  `${name} (${by === 'detected' ? `${Math.round(confidence * 100)} % sure` : by.replaceAll('-', ' ')})`

const fontText = ({ font, by, widths }: ReplacedFont): string =>
  `${font} by ${by === null ? 'other fonts' : by.replace(/^Kiln [^,]+, made from /, '')} (${widths} widths)`

const streamText = ({ kind, codec, fate, as }: ConversionReport['streams'][number]): string =>
  `${kind} ${codec} ${fate === 'left-out' ? 'left out' : fate}${as === null ? '' : ` as ${as}`}`

/** The counts of input and output; once when both are the same. */
function counts(input: Counts, output: Counts): string {
  return (['pages', 'words', 'pictures'] as const)
    .flatMap((name) => {
      const [before, after] = [input[name], output[name]]
      if (before === null && after === null) return []
      const figures =
        before === after || before === null ? [after] : after === null ? [before] : [before, after]
      const last = figures.at(-1) ?? 0
      return last === 0 && figures.length === 1
        ? []
        : [`${figures.join(' → ')} ${last === 1 ? name.slice(0, -1) : name}`]
    })
    .join(', ')
}
