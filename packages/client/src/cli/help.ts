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

// Completion scripts, generated from the same table as the help. Formats are requested from the service when needed:
// `kiln __formats from` prints their names, and nothing if the service is unavailable. `kiln __options convert
// report.docx report.pdf` does the same for the options of that pair.

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export const isShell = (name: string | undefined): name is Shell => shells.some((shell) => shell === name)

const optionsOf = (command: Command): readonly Option[] => [...command.options, ...globalOptions]

const flagsOf = ({ name, short }: Option): string[] => (short ? [`--${name}`, `-${short}`] : [`--${name}`])

const everyOption = (): Option[] => {
  const all = [...commands.flatMap(optionsOf), ...globalOptions]
  return [...new Map(all.map((option) => [option.name, option])).values()]
}

export const completionScript = (shell: Shell): string => ({ bash, zsh, fish })[shell]()

function bash(): string {
  const answers: Record<string, string> = {
    file: '_kiln_answer "$(compgen -f -- "$cur")"; compopt -o filenames 2>/dev/null',
    folder: '_kiln_answer "$(compgen -d -- "$cur")"; compopt -o filenames 2>/dev/null',
    from: '_kiln_answer "$(compgen -W "$(kiln __formats from 2>/dev/null)" -- "$cur")"',
    to: '_kiln_answer "$(compgen -W "$(kiln __formats to 2>/dev/null)" -- "$cur")"',
    option: `_kiln_answer "$(compgen -W "$(kiln __options "\${COMP_WORDS[@]:1:COMP_CWORD-2}" 2>/dev/null)" -- "$cur")"; compopt -o nospace 2>/dev/null`,
  }
  const values = everyOption()
    .filter(({ value }) => value !== undefined)
    .map((option) => `    ${flagsOf(option).join('|')}) ${answers[option.completes ?? ''] ?? ':'}; return ;;`)
  const options = commands.map((command) => {
    const flags = optionsOf(command).flatMap(flagsOf).join(' ')
    return `      ${command.name}) _kiln_answer "$(compgen -W "${flags}" -- "$cur")" ;;`
  })
  const positionals = commands
    .filter(({ completes }) => completes !== undefined)
    .map(({ name, completes }) => {
      const words = Array.isArray(completes) ? completes.join(' ') : null
      const answer = words ? `_kiln_answer "$(compgen -W "${words}" -- "$cur")"` : answers.file
      return `    ${name}) ${answer} ;;`
    })
  return `# bash completion for kiln
_kiln_answer() {
  local IFS=$'\\n'
  COMPREPLY=($1)
}
_kiln() {
  local cur prev command= at
  cur=\${COMP_WORDS[COMP_CWORD]}
  prev=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    case \${COMP_WORDS[at]} in
      -*) ;;
      *) command=\${COMP_WORDS[at]}; break ;;
    esac
  done
  case $prev in
${values.join('\n')}
  esac
  if [[ -z $command ]]; then
    _kiln_answer "$(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$cur")"
    return
  fi
  if [[ $cur == -* ]]; then
    case $command in
${options.join('\n')}
    esac
    return
  fi
  case $command in
${positionals.join('\n')}
  esac
}
complete -F _kiln kiln
`
}

/** Quoted for zsh and fish: single quotes, with none inside. */
const quoted = (text: string) => `'${text.replaceAll("'", '’')}'`

function zsh(): string {
  const actions: Record<string, string> = {
    file: '_files',
    folder: '_files -/',
    from: '_kiln_formats from',
    to: '_kiln_formats to',
    option: '_kiln_options',
  }
  const specification = (option: Option) => {
    const about = `[${option.about.replaceAll(':', ',')}]`
    const value = option.value ? `:${option.value}:${actions[option.completes ?? ''] ?? ''}` : ''
    const [long, short] = flagsOf(option)
    return short
      ? `'(${long} ${short})'{${long},${short}}${quoted(about + value)}`
      : quoted(long + about + value)
  }
  const cases = commands.map((command) => {
    const { completes } = command
    const words = Array.isArray(completes) ? [`'1:shell:(${completes.join(' ')})'`] : []
    const files = completes === 'file' ? ["'*:file:_files'"] : []
    const lines = [...optionsOf(command).map(specification), ...words, ...files]
    return `    ${command.name})\n      _arguments \\\n        ${lines.join(' \\\n        ')}\n      ;;`
  })
  return `#compdef kiln
_kiln_formats() {
  local -a names
  names=(\${(f)"$(kiln __formats $1 2>/dev/null)"})
  compadd -a names
}
_kiln_options() {
  local -a names
  names=(\${(f)"$(kiln __options convert \${words[2,CURRENT-2]} 2>/dev/null)"})
  compadd -S '' -a names
}
_kiln() {
  local -a commands
  commands=(
${commands.map(({ name, about }) => `    ${quoted(`${name}:${about.replaceAll(':', ',')}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _kiln ]]; then _kiln "$@"; else compdef _kiln kiln; fi
`
}

function fish(): string {
  const names = commands.map(({ name }) => name).join(' ')
  const argumentOf: Record<string, string> = {
    file: ' -rF',
    folder: " -x -a '(__fish_complete_directories)'",
    from: " -x -a '(kiln __formats from 2>/dev/null)'",
    to: " -x -a '(kiln __formats to 2>/dev/null)'",
    option: " -x -a '(kiln __options (commandline -opc)[2..-2] 2>/dev/null)'",
  }
  const optionLine = (condition: string, { name, short, value, about, completes }: Option) => {
    const argument = value === undefined ? '' : (argumentOf[completes ?? ''] ?? ' -x')
    return `complete -c kiln -n '${condition}' -l ${name}${short ? ` -s ${short}` : ''}${argument} -d ${quoted(about)}`
  }
  const none = `not __fish_seen_subcommand_from ${names}`
  return `# fish completion for kiln
${[
  'complete -c kiln -f',
  ...commands.map(({ name, about }) => `complete -c kiln -n '${none}' -a ${name} -d ${quoted(about)}`),
  ...commands.flatMap((command) => {
    const seen = `__fish_seen_subcommand_from ${command.name}`
    const { completes } = command
    const positional =
      completes === 'file'
        ? [`complete -c kiln -n '${seen}' -F`]
        : Array.isArray(completes)
          ? [`complete -c kiln -n '${seen}' -a '${completes.join(' ')}'`]
          : []
    return [...optionsOf(command).map((option) => optionLine(seen, option)), ...positional]
  }),
].join('\n')}
`
}
