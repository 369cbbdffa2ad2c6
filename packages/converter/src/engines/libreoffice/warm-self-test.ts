import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { convertWarm } from './warm-document.ts'
import { samplesFolder, selfTestSample } from './warm-samples.ts'
import type { WarmServer } from './warm-server.ts'

const outputName = 'output.pdf'
// The sample has text in many fonts; a PDF without them is smaller.
const leastBytes = 20_000

/** Converts a sample in a first child, and throws unless that gives a PDF of the right size. */
export async function selfTest(server: WarmServer, sandbox: Sandbox, workFolder: string): Promise<void> {
  const outFolder = await mkdtemp(join(tmpdir(), 'kiln-office-test-'))
  try {
    const { box, untrustedReport } = await convertWarm(server, workFolder, selfTestSample.plan, {
      sandbox,
      inFolder: samplesFolder,
      outFolder,
      source: `/in/${selfTestSample.name}`,
      outputName,
      signal: AbortSignal.timeout(60_000),
    })
    const bytes = await stat(join(outFolder, outputName)).then(
      ({ size }) => size,
      () => 0,
    )
    if (!untrustedReport.startsWith('done') || bytes < leastBytes) {
      const said = `${untrustedReport} ${box.untrustedStderr}`.trim().slice(0, 500)
      throw new Error(`a first child did not convert the sample (${box.ending}, ${bytes} bytes): ${said}`)
    }
  } finally {
    await rm(outFolder, { recursive: true, force: true })
  }
}
