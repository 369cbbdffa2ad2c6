// A parsed e-mail, independent of the file format.

export interface Attachment {
  name: string
  type: string
  /** Content-ID without its angle brackets. */
  id: string | undefined
  /** Content-Location: an address by which the page may refer to it. */
  location?: string | undefined
  content: Uint8Array
}

export type Body = { html: string } | { text: string }

export interface Mail {
  subject: string
  /** `From`, `To`, … in this order; empty ones are not shown. */
  headers: readonly (readonly [label: string, value: string])[]
  /** The best of the alternatives. */
  body: Body
  attachments: readonly Attachment[]
}

export const isEmptyBody = (body: Body): boolean => ('html' in body ? body.html : body.text).trim() === ''
