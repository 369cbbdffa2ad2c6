import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.mjs'
import { say, warn } from './say.mjs'
import { forget, hashOf, isDone, markDone, repository, setupFolder } from './stamp.mjs'

/**
 * Makes something once per version of its sources, and gives what the program printed, if it ran. What the program
 * prints goes to a log; a person gets a sentence. `result` is a file that shows that it is there; `optional` is
 * what Kiln works without.
 */
export async function buildOnce({ step, what, sources, texts, result, command, env, optional = false }) {
  const hash = hashOf({ files: [...sources, 'package-lock.json'], texts })
  if (isDone(step, hash) && existsSync(join(repository, result))) return undefined
  say(`making ${what}`)
  // What is half made when the machine goes down must not pass for whole.
  forget(step)
  const [program, ...args] = command
  const { ok, output } = await run(program, args, { cwd: repository, logName: `${step}.log`, env })
  const failure = `${what} could not be made (${join(setupFolder, `${step}.log`)} says why)`
  if (ok) markDone(step, hash)
  else if (optional) warn(`${failure}; Kiln goes on without`)
  else
    throw new Error(
      `${failure}. Remove node_modules and start again; if you changed the sources, mend what the log names.`,
    )
  return ok ? output : undefined
}

/** The project's own Node, and a program of the repository. */
export const withRuntime = (...args) => [join(repository, 'node_modules/.bin/node'), ...args]
