import type { ConversionReport, LeftOut, LeftOutKind, ReplacedFont } from '@kiln/contract'

// Sentences for the users of the output: how it differs from the source, and what to check. A font whose substitute has
// the same widths is in the report but causes no warning: every line breaks where it did.

type Findings = Pick<ConversionReport, 'encoding' | 'fonts' | 'recognized' | 'leftOut'> & {
  undecodable: number
}

export function warningsOf({ encoding, undecodable, fonts, recognized, leftOut }: Findings): string[] {
  return [
    ...encodingWarnings(encoding, undecodable),
    ...fontWarnings(fonts),
    ...recognizedWarnings(recognized),
    ...leftOut.map(sentenceOf),
  ]
}

/** Measured on 1,140 tables of 3 to 12 words in 30 languages: at or above this confidence all were read correctly, below it 91 %. */
export const reliableConfidence = 0.75

function encodingWarnings(encoding: Findings['encoding'], undecodable: number): string[] {
  if (!encoding) return []
  const { name, confidence } = encoding
  const isUnsure = confidence < reliableConfidence
  return [
    ...(isUnsure
      ? [
          `The character encoding was guessed as ${name} (${Math.round(confidence * 100)} % sure). If characters are wrong, name it in the option \`encoding\`.`,
        ]
      : []),
    ...(undecodable > 0
      ? [
          `${undecodable === 1 ? 'One character is' : `${undecodable} characters are`} not valid ${name} and became �. Check the file, or name its encoding in the option \`encoding\`.`,
        ]
      : []),
  ]
}

const maxNamed = 5

function fontWarnings(fonts: readonly ReplacedFont[]): string[] {
  const changed = fonts.filter(({ widths }) => widths !== 'same')
  if (changed.length === 0) return []
  const named = changed
    .slice(0, maxNamed)
    .map(({ font, by }) => (by === null ? `${font} by other fonts` : `${font} by ${by}`))
  const others = changed.length - named.length
  const list = [...named, ...(others > 0 ? [`and ${others} more`] : [])].join(', ')
  return [`Missing fonts were replaced (${list}): lines and pages may break in other places.`]
}

function recognizedWarnings(recognized: Findings['recognized']): string[] {
  if (!recognized) return []
  const { pages, count, languages, confidence } = recognized
  const where = count === 1 ? `page ${pages}` : `${count} pages (${pages})`
  const how = [languages.join(' and '), confidence === null ? '' : `${Math.round(confidence * 100)} % sure`]
  const said = how.filter((each) => each !== '').join(', ')
  const aside = said === '' ? '' : ` (${said})`
  return [
    `The text of ${where} was recognised from pictures${aside} and may contain errors: compare names and figures with the original.`,
  ]
}

const sentences: Readonly<Record<LeftOutKind, (count: string, isOne: boolean) => string>> = {
  macros: () => 'The document contains macros. They did not run, and the output has none.',
  scripts: (count, one) => `${count} ${one ? 'script' : 'scripts'} of the page did not run.`,
  'remote-pictures': (count, one) =>
    `${count} remote ${one ? 'picture was' : 'pictures were'} not loaded: nothing outside the file is read. Embed ${one ? 'it' : 'them'} in the document.`,
  'remote-styles': (count, one) =>
    `${count} style ${one ? 'sheet' : 'sheets'} outside the file ${one ? 'was' : 'were'} not loaded. Embed ${one ? 'it' : 'them'} in the page.`,
  frames: (count, one) =>
    `${count} ${one ? 'frame' : 'frames'} of the page ${one ? 'was' : 'were'} not loaded.`,
  'missing-pictures': (count, one) =>
    `${count} ${one ? 'picture was' : 'pictures were'} left out: ${one ? 'it is' : 'they are'} not in the file, or the target cannot hold ${one ? 'it' : 'them'}.`,
  objects: (count, one) =>
    `The content of ${count.toLowerCase()} embedded ${one ? 'object' : 'objects'} was left out: the output shows at most ${one ? 'its picture' : 'their pictures'}.`,
  sheets: (count, one) =>
    `${count} ${one ? 'sheet was' : 'sheets were'} left out: hidden, or more than the target can hold.`,
  slides: (count, one) => `${count} hidden ${one ? 'slide was' : 'slides were'} left out.`,
  media: (count, one) => `${count} embedded ${one ? 'sound or film was' : 'sounds or films were'} left out.`,
  'video-tracks': (count, one) =>
    `${count} further picture ${one ? 'track was' : 'tracks were'} left out: the output has one.`,
  subtitles: (count, one) =>
    `${count} subtitle ${one ? 'track was' : 'tracks were'} left out: the target cannot hold ${one ? 'it' : 'them'}.`,
  'sound-tracks': (count, one) => `${count} sound ${one ? 'track was' : 'tracks were'} left out.`,
  covers: (count, one) => `${count} cover ${one ? 'picture was' : 'pictures were'} left out.`,
  'data-streams': (count, one) =>
    `${count} ${one ? 'stream' : 'streams'} without picture or sound (time codes, positions) ${one ? 'was' : 'were'} left out.`,
  markup: (count, one) =>
    `${count} ${one ? 'piece' : 'pieces'} of raw markup that the target cannot hold ${one ? 'was' : 'were'} left out.`,
}

const sentenceOf = ({ what, count }: LeftOut): string =>
  sentences[what](count === 1 ? 'One' : String(count), count === 1)
