import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/**
 * The arguments of a tool. Prints the usage and ends the process when they are wrong, when there are fewer positional
 * ones than the tool needs, or when help is asked for.
 */
export function readArguments<const Options extends ParseArgsOptionsConfig>(
  usage: string,
  options: Options,
  positionalsNeeded = 0,
) {
  const { error, parsed } = parse(options)
  if ((parsed?.values as { help?: boolean } | undefined)?.help) {
    process.stdout.write(usage)
    process.exit(0)
  }
  if (parsed && parsed.positionals.length >= positionalsNeeded) return parsed
  process.stderr.write(`${error ?? 'Arguments are missing.'}\n\n${usage}`)
  return process.exit(2)
}

function parse<const Options extends ParseArgsOptionsConfig>(options: Options) {
  try {
    const withHelp = { ...options, help: { type: 'boolean' } } as const
    return { parsed: parseArgs({ allowPositionals: true, options: withHelp }) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}
