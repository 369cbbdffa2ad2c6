// A mail as people read it, whatever file it came in.

export interface Attachment {
  name: string
  type: string
  /** By which the page refers to it, without its angle brackets. */
  id: string | undefined
  content: Uint8Array
}

export interface Mail {
  subject: string
  /** What stands at the head, in order: `From`, `To`, … Empty ones are left out later. */
  heads: readonly (readonly [label: string, value: string])[]
  /** The better part of the alternatives. */
  body: { html: string } | { text: string }
  attachments: readonly Attachment[]
}
