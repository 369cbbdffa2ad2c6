import type { ConversionReport } from '@kiln/contract'
import type { ConvertOptions } from '../convert.ts'
import { FileError } from '../errors.ts'
import type { Parsed } from './arguments.ts'
import { createDisplay, type Display } from './display.ts'
import type { Environment } from './settings.ts'

/** Standard streams, environment and signals of a command. */
export interface Io {
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  env: Environment
  /** Fires on Ctrl-C. */
  signal: AbortSignal
  /** Waits this long for a second Ctrl-C, which then does not end the program. Whether it came. */
  interruptedAgain?: (milliseconds: number) => Promise<boolean>
  /** Converts on this machine, in place of the service that the settings name. Gets the number of files. */
  openConvert?: (files: number) => Convert
  /** How `kiln convert` is started, where that is another command. */
  convertCommand?: string
}

/**
 * Runs one conversion for `kiln convert`: returns the job's id, if there is a job, and a description of the output. An
 * archive is written to `archiveOutput`, if that is given.
 */
export type Convert = (
  input: string | NodeJS.ReadStream,
  options: Omit<ConvertOptions, 'options'> & {
    to: string
    output: string | WritableStream<Uint8Array>
    /** As given on the command line: `name=value`. */
    optionTexts: readonly string[]
  },
) => Promise<{
  jobId: string | null
  bytes: number
  contentType: string | null
  report: ConversionReport | null
}>

/** stdout as a target of an output. It is not ended: it belongs to the process. */
export function stdoutTarget({ stdout }: Io): WritableStream<Uint8Array> {
  return new WritableStream({
    write: (piece) =>
      new Promise((resolve, reject) => {
        stdout.write(piece, (error) => {
          if (error)
            reject(new FileError('file', 'Cannot write to stdout: its reader is gone.', { cause: error }))
          else resolve()
        })
      }),
  })
}

export const printJson = ({ stdout }: Io, value: unknown): void => {
  stdout.write(`${JSON.stringify(value)}\n`)
}

/** The display that the options and the terminal ask for. JSON replaces lines, not bars. */
export function openDisplay(parsed: Parsed, { stderr, env }: Io): Display {
  return createDisplay({
    screen: stderr,
    quiet: parsed.flag('quiet') || (parsed.flag('json') && !stderr.isTTY),
    color: !env.NO_COLOR && env.TERM !== 'dumb',
    unicode: showsUnicode(env),
  })
}

/** Whether a terminal can be expected to show more than ASCII. */
function showsUnicode({ LC_ALL, LC_CTYPE, LANG, TERM }: Environment): boolean {
  if (TERM === 'linux' || TERM === 'dumb') return false
  const locale = LC_ALL || LC_CTYPE || LANG || ''
  return process.platform !== 'linux' || /utf-?8/i.test(locale)
}
