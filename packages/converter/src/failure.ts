import type { ConversionReport, FailureWord } from '@kiln/contract'

// A conversion that cannot succeed, because of the file or of a limit. It is not retried, because a retry would end the
// same way. `message` is one sentence for the person who sent the file, without a host path or an engine's output;
// `cause` is for the log. Any other error that a conversion throws is our fault, and may be temporary.

export class ConversionFailed extends Error {
  override readonly name = 'ConversionFailed'
  readonly word: FailureWord
  /** Facts from before the failure; set by the code that ran the conversion. */
  report: ConversionReport | undefined

  constructor(word: FailureWord, sentence: string, cause?: unknown) {
    super(sentence, cause === undefined ? {} : { cause })
    this.word = word
  }
}

const failing = (word: FailureWord) => (sentence: string, cause?: unknown) =>
  new ConversionFailed(word, sentence, cause)

export const failed = {
  passwordProtected: failing('password-protected'),
  corruptInput: failing('corrupt-input'),
  wrongFormat: failing('wrong-format'),
  timeout: failing('timeout'),
  tooComplex: failing('too-complex'),
  unsupported: failing('unsupported'),
  internal: failing('internal'),
}
