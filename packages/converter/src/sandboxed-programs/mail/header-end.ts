// Some programs end the headers with a line of blanks, or with none, and a reader that waits for an empty line takes the
// text for headers. A line that is no header ends them, unless another header follows it: then it is a broken one.

const field = /^[!-9;-~]+[ \t]*:.*(?:\r?\n[ \t]+\S.*)*(?:\r?\n|$)/gm

/** The message with an empty line after its headers. */
export function endHeaders(message: Buffer): Buffer {
  const end = endOfHeaders(message)
  const head = message.toString('latin1', 0, end)
  let last = 0
  for (const { 0: line, index } of head.matchAll(field)) last = index + line.length
  if (last === 0 || head.slice(last).trim() === '') return message
  return Buffer.concat([message.subarray(0, last), Buffer.from('\r\n'), message.subarray(last)])
}

/** Where the empty line is. */
export function endOfHeaders(message: Buffer): number {
  const ends = ['\r\n\r\n', '\n\n'].map((mark) => message.indexOf(mark)).filter((at) => at !== -1)
  return ends.length === 0 ? message.length : Math.min(...ends)
}
