/** `corrupt-input`: the file is damaged. `too-large`: more than the limits. `unsupported`: not in this browser. */
export type BrowserFailureCode =
  | 'corrupt-input'
  | 'invalid-options'
  | 'password-protected'
  | 'too-large'
  | 'unsupported'
  | 'internal'

/** The message is a sentence for the user. */
export class BrowserConversionError extends Error {
  override readonly name = 'BrowserConversionError'
  readonly code: BrowserFailureCode

  constructor(code: BrowserFailureCode, message: string) {
    super(message)
    this.code = code
  }
}

export const damaged = (format: string) =>
  new BrowserConversionError(
    'corrupt-input',
    `The browser cannot read the file as ${format}: it is damaged, or it is in another format.`,
  )
