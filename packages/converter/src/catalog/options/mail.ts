import { isMail } from '../opened-first.ts'
import { choice } from './kinds.ts'
import { rowsFor } from './option.ts'

// Options of e-mails, for every engine.

export interface MailArgument {
  attachments?: 'listed' | 'appended'
}

const row = rowsFor<MailArgument>()

export const mailOptions = [
  row({
    name: 'attachments',
    label: 'Attachments',
    appliesTo: ({ from }) => isMail(from),
    kind: choice('listed', 'appended'),
    description:
      'Attachments: listed with names and sizes; or pictures, texts and e-mails also appended to the text.',
    default: 'Listed.',
    example: 'appended',
    argument: (attachments) => ({ attachments }),
  }),
]
