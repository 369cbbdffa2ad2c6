// Chromium's debugging protocol over two pipes: messages are JSON, each ended by a zero byte. Commands have a number,
// and their answers bear it; events have a name.

/**
 * @param {import('node:stream').Writable} commands
 * @param {import('node:stream').Readable} answers
 */
export function connect(commands, answers) {
  let last = 0
  /** @type {Map<number, { resolve(result: any): void, reject(error: Error): void }>} */
  const pending = new Map()
  /** @type {Map<string, ((parameters: any) => void)[]>} */
  const listeners = new Map()
  /** @type {Buffer[]} */
  let pieces = []

  /** @param {any} message */
  const take = ({ id, method, params, result, error }) => {
    if (id === undefined) {
      for (const listener of listeners.get(method) ?? []) listener(params)
      return
    }
    const waiting = pending.get(id)
    pending.delete(id)
    if (error) waiting?.reject(new Error(`${error.message} (${error.code})`))
    else waiting?.resolve(result)
  }
  answers.on('data', (/** @type {Buffer} */ chunk) => {
    let rest = chunk
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      take(JSON.parse(Buffer.concat([...pieces, rest.subarray(0, end)]).toString('utf8')))
      pieces = []
      rest = rest.subarray(end + 1)
    }
    if (rest.length > 0) pieces.push(rest)
  })

  return {
    /**
     * @param {string} method
     * @param {object} [parameters]
     * @param {string} [sessionId]
     * @returns {Promise<any>}
     */
    call(method, parameters = {}, sessionId = undefined) {
      last += 1
      const id = last
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject })
        commands.write(`${JSON.stringify({ id, method, params: parameters, sessionId })}\0`)
      })
    },
    /**
     * @param {string} event
     * @param {(parameters: any) => void} listener
     */
    on(event, listener) {
      listeners.set(event, [...(listeners.get(event) ?? []), listener])
    },
  }
}
