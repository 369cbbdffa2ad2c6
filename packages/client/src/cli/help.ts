import { version } from '../version.ts'
import { type Command, commands, globalOptions, type Option } from './arguments.ts'
import { exitCodes } from './exit-codes.ts'

const optionLines = (options: readonly Option[]) =>
  options.map(({ name, short, value, about }) => {
    const flag = `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`
    return `  ${flag.padEnd(24)} ${about}`
  })

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`)

export function generalHelp(): string {
  return [
    `kiln ${version}: converts files with a Kiln service.`,
    '',
    'Commands:',
    ...commands.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`),
    '',
    'Options of every command:',
    ...optionLines(globalOptions),
    '',
    'The address and the key come from --url, KILN_URL and KILN_API_KEY, or from `kiln login`, in this order.',
    '',
    'Exit codes:',
    ...Object.values(exitCodes).map(({ code, means }) => `  ${String(code).padEnd(4)} ${means}`),
    '',
    'More: kiln COMMAND --help',
    '',
  ].join('\n')
}

/** `isLocal`: the command uses no service. */
export function commandHelp({ about, usage, options, examples }: Command, isLocal = false): string {
  const general = globalOptions.filter(({ name }) => !isLocal || name !== 'url')
  const sections = [
    [`${about[0]?.toUpperCase()}${about.slice(1)}.`],
    ['Usage:', ...indented(usage)],
    options.length > 0 ? ['Options:', ...optionLines(options)] : [],
    [isLocal ? 'General options:' : 'Options of every command:', ...optionLines(general)],
    examples.length > 0 ? ['Examples:', ...indented(examples)] : [],
  ]
  const filled = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'))
  return `${filled.join('\n\n')}\n`
}
