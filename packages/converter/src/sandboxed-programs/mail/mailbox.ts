// A mailbox (mbox) is a file of many messages. Each follows a line that begins with `From `, after an empty line.

const envelope = Buffer.from('From ')

/** The messages of a mailbox; of any other file the file itself. */
export function splitMailbox(bytes: Buffer): Buffer[] {
  if (!bytes.subarray(0, envelope.length).equals(envelope)) return [bytes]
  const messages: Buffer[] = []
  let start = 0
  while (start !== -1 && start < bytes.length) {
    const afterEnvelope = bytes.indexOf(0x0a, start) + 1
    const next = nextEnvelope(bytes, afterEnvelope)
    if (afterEnvelope > 0)
      messages.push(unquote(bytes.subarray(afterEnvelope, next === -1 ? undefined : next)))
    start = afterEnvelope === 0 ? -1 : next
  }
  return messages
}

function nextEnvelope(bytes: Buffer, from: number): number {
  const found = ['\n\nFrom ', '\r\n\r\nFrom ']
    .map((mark) => ({ at: bytes.indexOf(mark, from), skipped: mark.length - envelope.length }))
    .filter(({ at }) => at !== -1)
    .map(({ at, skipped }) => at + skipped)
  return found.length === 0 ? -1 : Math.min(...found)
}

/** Lines of a message that look like an envelope have a `>` before them. */
const unquote = (message: Buffer): Buffer =>
  message.includes('\n>From ')
    ? Buffer.from(message.toString('latin1').replaceAll(/^>(>*From )/gm, '$1'), 'latin1')
    : message
