import { isOle } from '../../catalog/file-types/ole.ts'
import { ConversionFailed } from '../../failure.ts'
import type { Mail } from './mail.ts'
import { readEml } from './read-eml.ts'
import { readMsg } from './read-msg.ts'

export const readMail = (bytes: Buffer): Promise<Mail> => (isOle(bytes) ? readMsg(bytes) : readEml(bytes))

/** Those of a mailbox, and how many of them could not be read. Throws when none could. */
export async function readMessages(messages: readonly Buffer[]): Promise<{ mails: Mail[]; unread: number }> {
  const failures: ConversionFailed[] = []
  const mails: Mail[] = []
  for (const message of messages) {
    const mail = await readMail(message).catch((error: unknown) => {
      if (!(error instanceof ConversionFailed)) throw error
      failures.push(error)
      return unreadMail(message, error)
    })
    mails.push(mail)
  }
  if (failures[0] && failures.length === messages.length) throw failures[0]
  return { mails, unread: failures.length }
}

/** An encrypted or damaged message shows its headers, and why it was not read. */
async function unreadMail(message: Buffer, { message: reason }: ConversionFailed): Promise<Mail> {
  const [head = ''] = message.toString('latin1').split(/\r?\n\r?\n/, 1)
  const headers = head.replaceAll(/^content-[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*\r?\n?/gim, '')
  return { ...(await readEml(Buffer.from(headers, 'latin1'))), body: { text: reason } }
}
