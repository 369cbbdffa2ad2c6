import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { isOle } from '../catalog/file-types/ole.ts'
import { failed } from '../failure.ts'
import { mailPage } from './mail/mail-page.ts'
import { splitMailbox } from './mail/mailbox.ts'
import { readMessages } from './mail/read-mail.ts'
import { reportFailure } from './report-failure.ts'

// Writes an e-mail, or all e-mails of a mailbox, as one HTML page. Runs in the sandbox.
//
//   read-mail.mjs IN OUT [--title] [--append-attachments]
//
// Prints the number of attachments that could not be appended, and of messages of a mailbox that could not be read, as JSON.

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { title: { type: 'boolean' }, 'append-attachments': { type: 'boolean' } },
})
const [input = '', output = ''] = positionals
const maxMails = 1000

await reportFailure(async () => {
  const bytes = await readFile(input)
  const messages = isOle(bytes) ? [bytes] : splitMailbox(bytes)
  if (messages.length > maxMails)
    throw failed.tooComplex(`The mailbox holds more than ${maxMails} messages. Split it.`)
  const { mails, unread } = await readMessages(messages)
  const { html, unappended } = await mailPage(mails, {
    hasTitle: options.title === true,
    appendsAttachments: options['append-attachments'] === true,
  })
  // NUL characters mean nothing in text, and an output with them would fail its check.
  await writeFile(output, html.replaceAll('\0', ''), { flag: 'wx' })
  process.stdout.write(`${JSON.stringify({ unappended, unread })}\n`)
})
