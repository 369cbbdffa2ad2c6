import { extensionOf, formatNamed, formatOfName } from '@kiln/client'
import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type AllowedFolders, PathRefused } from './allowed-folders.ts'
import { conversionAnswer } from './answers.ts'
import { WorkList } from './background.ts'
import {
  type Conversion,
  follow,
  keyOf,
  type LocalParts,
  resumeConversion,
  startConversion,
  stateOf,
} from './local-conversions.ts'
import { reading } from './output-text.ts'
import { advised, convertsFiles, createServer, optionsInput, type ToolParts } from './tools.ts'

// convert_file and check_conversion for files on the agent's machine. Paths are confined to the allowed folders, existing
// files are replaced only on request, and a conversion that takes longer than a host waits continues in the background:
// the response is its job id, and check_conversion resumes it.

export type CreateLocalServer = (parts: ToolParts) => McpServer

const overwrite = z.boolean().optional().describe('Replace a file that exists. Only if the user agreed.')

/** The tools for some folders. The servers of one process share the conversions that run in the background. */
export function localTools(files: AllowedFolders): CreateLocalServer {
  const running = new WorkList<Conversion>()
  return (parts) => createLocalServer(files, running, parts)
}

function createLocalServer(
  files: AllowedFolders,
  running: WorkList<Conversion>,
  parts: ToolParts,
): McpServer {
  const { kiln } = parts
  const local: LocalParts = { files, running, parts }
  const where = `Only files in ${files.folders.join(' and ')} can be read and written.`
  const server = createServer(
    parts,
    `Converts files between office, document, PDF and video formats with a Kiln service. ${where} A long conversion answers with a job id: call check_conversion until it is done.`,
  )

  server.registerTool(
    'convert_file',
    {
      title: 'Convert a file',
      description: `Converts a file on this machine into another format and writes the result beside it or where you say: office documents to PDF, PDF to Word, Markdown, HTML, EPUB, LaTeX, RST among one another, video transcodes. ${where} Existing files are left alone unless overwrite is true. Pass max_characters or page to have the text of the output in the answer as well, a page at a time. Each conversion counts against the user's allowance. If it takes long, the answer is a job_id: then call check_conversion.`,
      inputSchema: z.object({
        input_path: z
          .string()
          .min(1)
          .describe('The file to convert; absolute, or relative to the allowed folder.'),
        to: z.string().optional().describe('Target format, for example "pdf". Else from output_path.'),
        output_path: z
          .string()
          .min(1)
          .optional()
          .describe('Where to write. Else beside the input, with the new extension.'),
        from: z.string().optional().describe('Source format, if the file name does not show it.'),
        options: optionsInput,
        overwrite,
        ...reading,
      }),
      outputSchema: conversionAnswer,
      annotations: convertsFiles,
    },
    (args, context) => {
      const from = args.from ? formatNamed(args.from) : formatOfName(args.input_path)
      const to = args.to ? formatNamed(args.to) : args.output_path && formatOfName(args.output_path)
      return advised(kiln, `${from}-to-${to}`, async () => {
        if (!to) throw new PathRefused('Say what the file is to become: pass `to`, for example "pdf".')
        if (!from)
          throw new PathRefused('The file name does not show the format: pass `from`, for example "docx".')
        const output = args.output_path ?? besideInput(args.input_path, to)
        const conversion = await startConversion(local, args.input_path, output, {
          from,
          to,
          overwrite: args.overwrite ?? false,
          options: args.options,
        })
        return follow(local, conversion, context, true, args)
      })
    },
  )

  server.registerTool(
    'check_conversion',
    {
      title: 'Check a conversion',
      description:
        'Waits for a conversion that convert_file answered with a job_id, and writes its output. Also resumes a job of an earlier session; then say output_path.',
      inputSchema: z.object({
        job_id: z.string().min(1).max(200),
        output_path: z
          .string()
          .min(1)
          .optional()
          .describe('Where to write the output of a job of an earlier session.'),
        overwrite,
        ...reading,
      }),
      outputSchema: conversionAnswer,
      annotations: { ...convertsFiles, idempotentHint: true },
    },
    ({ job_id, output_path, overwrite: replace = false, ...wanted }, context) =>
      advised(kiln, null, async () => {
        const known = running.get(keyOf(parts, job_id))
        if (known) return follow(local, { jobId: job_id, conversion: known }, context, false, wanted)
        if (output_path === undefined) return stateOf(local, job_id, context, wanted)
        return follow(
          local,
          await resumeConversion(local, job_id, output_path, replace),
          context,
          false,
          wanted,
        )
      }),
  )

  return server
}

const besideInput = (input: string, to: string) =>
  `${input.replace(/(?<=[^./\\])\.[^./\\]+$/, '')}.${extensionOf(to)}`
