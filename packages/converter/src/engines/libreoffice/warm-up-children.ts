import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { convertWarm } from './warm-document.ts'
import type { WarmServer } from './warm-server.ts'
import { firstDocuments, type WarmUpDocument, warmUpFolder } from './warm-up-documents.ts'

const outputName = 'output.pdf'
// Each warm-up document has text in several fonts; a PDF without them is smaller.
const minBytes = 20_000

/** Converts warm-up documents in the first children, and throws unless the PDFs have the expected size. */
export async function warmUpChildren(
  server: WarmServer,
  sandbox: Sandbox,
  workFolder: string,
): Promise<void> {
  for (const document of firstDocuments) await warmUpWith(server, sandbox, workFolder, document)
}

async function warmUpWith(
  server: WarmServer,
  sandbox: Sandbox,
  workFolder: string,
  { name, plan }: WarmUpDocument,
): Promise<void> {
  const outFolder = await mkdtemp(join(tmpdir(), 'kiln-office-test-'))
  try {
    const job = {
      sandbox,
      inFolder: warmUpFolder,
      outFolder,
      source: `/in/${name}`,
      outputName,
      signal: AbortSignal.timeout(60_000),
    }
    const { result, untrustedReport } = await convertWarm(server, workFolder, plan, job)
    const bytes = await stat(join(outFolder, outputName)).then(
      ({ size }) => size,
      () => 0,
    )
    if (!untrustedReport.startsWith('done') || bytes < minBytes) {
      const said = `${untrustedReport} ${result.untrustedStderr}`.trim().slice(0, 500)
      throw new Error(`a first child did not convert ${name} (${result.ending}, ${bytes} bytes): ${said}`)
    }
  } finally {
    await rm(outFolder, { recursive: true, force: true })
  }
}
