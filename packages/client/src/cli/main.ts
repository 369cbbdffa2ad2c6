#!/usr/bin/env node
import { runCli } from './run.ts'

// The process of the command line. Ctrl-C aborts running conversions and lets them clean up; a second one exits
// immediately, unless the command handles it.

const interruption = new AbortController()
let askedForSecond: (() => void) | null = null
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    if (askedForSecond) return askedForSecond()
    if (interruption.signal.aborted) process.exit(130)
    interruption.abort()
  })
}
// A closed pipe, as with `head`, is not an error to print.
process.stdout.on('error', () => process.exit(9))
process.stderr.on('error', () => {})

process.exitCode = await runCli(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: interruption.signal,
  interruptedAgain: (milliseconds) =>
    new Promise((resolve) => {
      const answer = (came: boolean) => {
        clearTimeout(timer)
        askedForSecond = null
        resolve(came)
      }
      const timer = setTimeout(answer, milliseconds, false)
      askedForSecond = () => answer(true)
    }),
})
// Unread input must not keep the process alive.
process.stdin.unref?.()
