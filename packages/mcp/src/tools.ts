import { ConversionFailedError, type ConversionOptions, formatNamed, type Kiln } from '@kiln/client'
import { type CallToolResult, McpServer, type ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { adviceOn } from './advice.ts'
import {
  deletionAnswer,
  deletionResult,
  formatsAnswer,
  formatsResult,
  refusal,
  usageAnswer,
  usageResult,
} from './answers.ts'
import type { CallDocument } from './call-body.ts'
import type { LargeInput } from './large-input.ts'
import { readReport } from './output-text.ts'

// The tools that do not transfer files. Those that do are in local-tools.ts for a server on the agent's machine, and in
// remote-tools.ts for any other.

export const serverInfo = { name: 'kiln', title: 'Kiln file conversion', version: '0.1.0' }

/** Annotations of convert_file for hosts. */
export const convertsFiles = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
}

export interface ToolParts {
  kiln: Kiln
  largeInput: LargeInput
  /** The document of the call, where it was taken out of the message. */
  document?: CallDocument | undefined
  /** Milliseconds after which a call answers with a job to resume. Hosts give up after 60 s. */
  answerWithin: number
  /** The caller, where one process serves many: background work belongs to one caller. */
  owner?: string | undefined
  /** Aborted when the host has disconnected, where the protocol does not report that. */
  gone?: AbortSignal | undefined
  /** Fires when the server is about to stop: waiting calls are answered with a job to resume. */
  hurry?: AbortSignal | undefined
}

export function createServer({ kiln }: ToolParts, instructions: string): McpServer {
  const server = new McpServer(serverInfo, { capabilities: { tools: {} }, instructions })

  server.registerTool(
    'list_formats',
    {
      title: 'List formats',
      description:
        'Lists which formats can be converted into which, with the largest size and the price of each pair. With both from and to it lists the options of that pair as well.',
      inputSchema: z.object({
        from: z.string().optional().describe('Only pairs from this format, for example "docx".'),
        to: z.string().optional().describe('Only pairs to this format, for example "pdf".'),
      }),
      outputSchema: formatsAnswer,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ from, to }, context) =>
      advised(kiln, null, async () => {
        const pairs = await kiln.formats({ signal: context.mcpReq.signal, timeout: 30_000 })
        const chosen = pairs.filter(
          (pair) => (!from || pair.from === formatNamed(from)) && (!to || pair.to === formatNamed(to)),
        )
        const [only] = chosen
        if (!only || chosen.length > 1) return formatsResult(chosen)
        const { options } = await kiln.describe(only.pair, { signal: context.mcpReq.signal, timeout: 30_000 })
        return formatsResult(chosen, options)
      }),
  )

  server.registerTool(
    'delete_conversion',
    {
      title: 'Delete a conversion',
      description:
        'Cancels a conversion that is still going on, which is then not charged, and deletes its input and output at the service. The output of one that is done cannot be fetched any more. Files on this machine stay.',
      inputSchema: z.object({ job_id: z.string().min(1).max(200) }),
      outputSchema: deletionAnswer,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ job_id }, context) =>
      advised(kiln, null, async () => {
        await kiln.delete(job_id, { signal: context.mcpReq.signal, timeout: 30_000 })
        const { status, error } = await kiln.get(job_id, { signal: context.mcpReq.signal, timeout: 30_000 })
        return deletionResult(job_id, status, error)
      }),
  )

  server.registerTool(
    'check_usage',
    {
      title: 'Check usage',
      description: 'Tells how many free conversions and credits the account has left this month.',
      inputSchema: z.object({}),
      outputSchema: usageAnswer,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (_args, context) =>
      advised(kiln, null, async () =>
        usageResult(await kiln.usage({ signal: context.mcpReq.signal, timeout: 30_000 })),
      ),
  )
  return server
}

/** Runs a tool; errors become text that the agent can act on. A cancelled call is not answered. */
export async function advised(
  kiln: Kiln,
  pair: string | null,
  run: () => Promise<CallToolResult>,
): Promise<CallToolResult> {
  try {
    return await run()
  } catch (error) {
    const advice = await adviceOn(error, kiln, pair)
    const jobId = error instanceof ConversionFailedError ? error.jobId : null
    const { warnings = [] } = jobId === null ? {} : await readReport(kiln, jobId, AbortSignal.timeout(5000))
    return refusal([advice, ...warnings.map((warning) => `Warning: ${warning}`)].join('\n'))
  }
}

/** Everything that ends a call early, as one signal. */
export function signalOf(context: ServerContext, { gone }: ToolParts): AbortSignal {
  return gone ? AbortSignal.any([context.mcpReq.signal, gone]) : context.mcpReq.signal
}

const options = z
  .record(z.string(), z.unknown())
  .optional()
  .describe(
    'Options of this pair of formats, for example {"pages": "1-3"}. Call list_formats with both from and to for the options that there are. One that does not exist is refused, with the names of those that do.',
  )

/** Options of a conversion, in the tools: the service checks them. */
export const optionsInput = options as unknown as z.ZodType<ConversionOptions | undefined>
