import { run } from './run.mjs'
import { say } from './say.mjs'

// How commands are run that need root: as root directly, with sudo where there is one, else not at all.

/** @returns {Promise<undefined | ((program: string, args: string[], options?: object) => ReturnType<typeof run>)>} */
export async function findAdministrator() {
  if (process.getuid?.() === 0) return run
  const withSudo = (flags) => (program, args, options) => {
    // sudo drops the environment; the variables of the command are passed after it.
    const variables = Object.entries(options?.env ?? {}).map(([name, value]) => `${name}=${value}`)
    return run('sudo', [...flags, 'env', ...variables, program, ...args], options)
  }
  if ((await run('sudo', ['-n', 'true'])).ok) return withSudo(['-n'])
  if (!process.stdin.isTTY || !(await run('sudo', ['--version'])).ok) return undefined
  say('Debian packages are to be installed; sudo asks for your password')
  return (await run('sudo', ['-v'], { terminal: true })).ok ? withSudo([]) : undefined
}
