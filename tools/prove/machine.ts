import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from './until-ready.ts'

// A system that takes lines of shell over its console and says how each ended: a Debian in a folder, or an emulated
// machine. Its first process is this script.

export const firstProcess = `
exec 3<&0
echo '[ready]'
while read -r number line; do
  sh -c "$line" 3<&-
  echo "[$number ended with $?]"
done <&3 &
# Processes whose parents have ended are waited for here too.
wait
`

export interface Machine {
  /** The end of this process is the end of all that runs in the machine. */
  child: ChildProcess
  output(): string
  /** Gives what was said from the start of the line to its end. */
  run(line: string, withinMinutes: number): Promise<string>
}

export function talkTo(child: ChildProcess): Machine {
  const said = listen(child)
  const output = () => said().replaceAll('\r', '')
  let count = 0
  return {
    child,
    output,
    async run(line, withinMinutes) {
      let from = output().length
      count += 1
      const ended = new RegExp(`\\[${count} ended with (\\d+)\\]`)
      let isAsked = false
      for (const deadline = Date.now() + withinMinutes * 60_000; Date.now() < deadline; await sleep(200)) {
        // A console loses what comes before it is opened.
        if (!isAsked && output().includes('[ready]')) {
          from = output().length
          child.stdin?.write(`${count} ${line}\n`)
          isAsked = true
        }
        const since = output().slice(from)
        const end = ended.exec(since)
        if (end?.[1] === '0') return since.slice(0, end.index)
        if (end) throw new Error(`“${line}” failed:\n${since.slice(-4000)}`)
        if (child.exitCode !== null)
          throw new Error(`The machine ended during “${line}”:\n${since.slice(-4000)}`)
      }
      throw new Error(`“${line}” took more than ${withinMinutes} minutes:\n${output().slice(-4000)}`)
    },
  }
}
