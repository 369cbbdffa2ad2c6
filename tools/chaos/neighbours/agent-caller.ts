import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

// The program of an attacker who makes agent calls: four at a time, repeatedly, with the body on stdin. A separate
// process that only passes one buffer to the system, so that its cost is not attributed to the service, and its event
// loop is not the one that measures. On SIGTERM it writes the results of its calls and its CPU time.

const [url = '', key = '', callsAtOnce = '4'] = process.argv.slice(2)
const body = readFileSync(0)
const agent = new Agent({ keepAlive: true, maxSockets: Number(callsAtOnce) })
const headers = {
  authorization: `Bearer ${key}`,
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'content-length': body.length,
}
const answers: Record<string, number> = {}

const call = () =>
  new Promise<string>((resolve) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().once('close', () => resolve(String(response.statusCode)))
    })
    // Also the end of a connection whose answer came before its body was read.
    sent.once('error', () => resolve('closed')).end(body)
  })

const callOn = async () => {
  for (;;) {
    const answer = await call()
    answers[answer] = (answers[answer] ?? 0) + 1
    // Requests over the limits are refused, or the connection is closed; repeating that without a delay is not the
    // attack.
    if (['429', '503', 'closed'].includes(answer)) await sleep(100)
  }
}

process.once('SIGTERM', () => {
  const { user, system } = process.cpuUsage()
  process.stdout.write(JSON.stringify({ answers, cpuSeconds: (user + system) / 1_000_000 }))
  process.exit(0)
})
for (let calls = 0; calls < Number(callsAtOnce); calls++) void callOn()
