import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ownFonts } from '../../../src/engines/fonts.ts'
import type { OfficeResult } from '../../../src/engines/libreoffice/cold-soffice.ts'
import { planFor } from '../../../src/engines/libreoffice/plan.ts'
import { convertWarm } from '../../../src/engines/libreoffice/warm-document.ts'
import { createWorkFolder } from '../../../src/engines/libreoffice/warm-folders.ts'
import { startWarmServer, type WarmServer } from '../../../src/engines/libreoffice/warm-server.ts'
import type { Limits, Sandbox } from '../../../src/sandbox/sandbox.ts'

// The real fork server in the real sandbox, with a hostile library in the place of LibreOffice: its children
// try what the test asks for.

const source = fileURLToPath(new URL('./hostile-office.c', import.meta.url))
const mebibyte = 1024 * 1024

export interface HostileServer {
  server: WarmServer
  /** Runs a deed in a child of its own. */
  attempt(deed: string, signal?: AbortSignal): Promise<OfficeResult & { output: string | undefined }>
  /** A child that has something to hide, until the time is over. */
  startVictim(milliseconds: number): Promise<{ pid: number; folder: string; done: Promise<OfficeResult> }>
  stop(): Promise<void>
}

export async function startHostileServer(
  sandbox: Sandbox,
  limits: Partial<Limits> = {},
): Promise<HostileServer> {
  const root = await mkdtemp(join(tmpdir(), 'kiln-hostile-'))
  await chmod(root, 0o711)
  const [installation, profile] = [join(root, 'office'), join(root, 'profile')]
  for (const folder of [installation, profile]) await mkdir(folder)
  await promisify(execFile)('cc', [
    '-shared',
    '-fPIC',
    '-Wall',
    '-Wextra',
    '-Werror',
    '-O1',
    '-o',
    join(installation, 'libsofficeapp.so'),
    source,
  ])
  const workFolder = await createWorkFolder(root)
  const server = await startWarmServer({
    sandbox,
    workFolder,
    profile,
    installation,
    fonts: ownFonts,
    limits: { wallSeconds: 20, cpuSeconds: 10, memoryBytes: 512 * mebibyte, ...limits },
  })
  server.keepSpares(2)

  const attempt: HostileServer['attempt'] = async (deed, signal = new AbortController().signal) => {
    const inFolder = await mkdtemp(join(root, 'in-'))
    const outFolder = await mkdtemp(join(root, 'out-'))
    await writeFile(join(inFolder, 'input.docx'), 'the document')
    // The runner copies the source in by its name; the deed takes its place in the plan.
    const wrapped: WarmServer = {
      ...server,
      convert: (plan, job, folder) => server.convert(plan, { ...job, source: deed }, folder),
    }
    const result = await convertWarm(wrapped, workFolder, planFor('docx', 'pdf'), {
      sandbox,
      inFolder,
      outFolder,
      source: '/in/input.docx',
      outputName: 'output.pdf',
      signal,
    })
    // There may be no output.
    const output = await readFile(join(outFolder, 'output.pdf'), 'utf8').catch(() => undefined)
    return { ...result, output }
  }
  return {
    server,
    attempt,
    async startVictim(milliseconds) {
      const before = new Set(await readdir(workFolder))
      const done = attempt(`wait:${milliseconds}`)
      for (;;) {
        const name = (await readdir(workFolder)).find((each) => !before.has(each))
        const who = name && (await readFile(join(workFolder, name, 'out/who'), 'utf8').catch(() => ''))
        if (name && who) return { pid: Number(who), folder: `/jobs/${name}`, done }
        await delay(5)
      }
    },
    async stop() {
      server.process.kill()
      await server.ended
      await rm(root, { recursive: true, force: true })
    },
  }
}
