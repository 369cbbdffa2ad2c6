// The reasons for which a conversion may end without an output, as seen by the calling process.
export type FailureWord = 'password-protected' | 'corrupt-input' | 'unsupported' | 'too-complex'

export class ConversionFailure extends Error {
  readonly word: FailureWord

  constructor(word: FailureWord, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.name = 'ConversionFailure'
    this.word = word
  }
}
