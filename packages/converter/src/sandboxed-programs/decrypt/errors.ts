import { failed } from '../../failure.ts'

export const wrongPassword = (): Error =>
  failed.passwordProtected(
    'The password in the option `password` does not open the document. Check it and try again.',
  )

export const unsupportedEncryption = (what: string): Error =>
  failed.unsupported(
    'This kind of encryption is not supported. Remove the password in the program that the document comes from, and upload it again.',
    what,
  )

export const damagedEncryption = (cause: unknown): Error =>
  failed.corruptInput('The document is damaged: its encryption cannot be read.', cause)
