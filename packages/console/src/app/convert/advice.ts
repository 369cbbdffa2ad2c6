import type { FailureWord } from '@kiln/contract'

// Advice on failed conversions, by the failure word that the error starts with.

/** Only conversions in the browser fail with the last two. */
type Word = FailureWord | 'too-large' | 'invalid-options'

const advice: Readonly<Record<Word, string>> = {
  'password-protected': 'Enter the password of the file under Options and convert it again.',
  'corrupt-input': 'Open the file in the program that made it, save it again and convert the new copy.',
  'wrong-format': 'Check that the ending of the file name matches its content.',
  timeout: 'Split the file into smaller parts, or convert fewer pages under Options.',
  'too-complex': 'Split the file into smaller parts, or convert fewer pages under Options.',
  'too-large': 'Make the file smaller and convert the new copy, or use a program on your computer.',
  'invalid-options': 'Correct it under Options and convert the file again.',
  unsupported: 'Choose another target format.',
  cancelled: 'Convert it again if you still need it.',
  internal: 'Try again. If it fails again, tell the operator of this service.',
}

/** `corrupt-input: The file is cut off.` as a sentence and what to do. Failed conversions are not charged. */
export function explainFailure(error: string): { sentence: string; advice: string } {
  const match = /^([a-z-]+): ([\s\S]+)$/.exec(error)
  const word = match?.[1] as Word | undefined
  if (!word || !(word in advice)) return { sentence: error, advice: 'Try again.' }
  return { sentence: match?.[2] ?? '', advice: `${advice[word]} It was not charged.` }
}
