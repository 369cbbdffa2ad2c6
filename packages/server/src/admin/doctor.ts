import { mkdir, statfs } from 'node:fs/promises'
import { userInfo } from 'node:os'
import type { Converter, FontsState } from '@kiln/converter'
import { pairs } from '@kiln/converter/catalog'
import type { Config } from '../config/config.ts'
import type { ProcessFacts } from '../console/process-facts.ts'
import { findLedgerDrift } from '../db/accounts.ts'
import type { Database } from '../db/connect.ts'
import { listProcesses } from '../db/processes.ts'

// `admin doctor`: tries every dependency of the service and prints what to do about each failure.

export interface Check {
  ok: boolean
  name: string
  detail: string
}

export interface DoctorParts {
  config: Config
  withDatabase: <T>(work: (database: Database) => Promise<T>) => Promise<T>
  openConverter: () => Promise<Converter>
}

export async function examine(parts: DoctorParts): Promise<readonly Check[]> {
  const checks: Check[] = []
  const check = async (name: string, look: () => Promise<string>) => {
    try {
      checks.push({ ok: true, name, detail: await look() })
    } catch (error) {
      checks.push({ ok: false, name, detail: error instanceof Error ? error.message : String(error) })
    }
  }

  await check('runtime', async () => {
    if (Number(process.versions.node.split('.')[0]) < 24)
      throw new Error(`Node ${process.version} is too old; start through npm.`)
    return `Node ${process.version}`
  })
  await check('user', async () => {
    const uid = process.getuid?.()
    if (uid === 0) throw new Error('Kiln runs as root; start it as an ordinary user.')
    return `${userName() ?? 'without a name'} (uid ${uid}); the service, its database and its engines run so`
  })
  await check('data folder', async () => {
    await mkdir(parts.config.dataDir, { recursive: true, mode: 0o711 })
    const { bavail, bsize } = await statfs(parts.config.dataDir)
    const gigabytes = (bavail * bsize) / 1e9
    if (gigabytes < 1)
      throw new Error(`${parts.config.dataDir} has only ${gigabytes.toFixed(2)} GB left; make room.`)
    return `${parts.config.dataDir}, ${gigabytes.toFixed(0)} GB free`
  })
  await check('database', async () => {
    return `PostgreSQL ${await parts.withDatabase((database) => database.version())}`
  })
  await check('ledger', async () => {
    const drift = await parts.withDatabase((database) => findLedgerDrift(database.kysely))
    if (drift.length > 0) throw new Error(`Balances differ from the ledger: ${JSON.stringify(drift)}`)
    return 'every balance is the sum of its entries'
  })

  let opened: Converter | undefined
  await check('sandbox', async () => {
    opened = await parts.openConverter()
    return `level ${opened.sandbox.level}, user ${opened.sandbox.user}`
  })
  // The converter opens only when every pair has its engine and its check.
  if (opened)
    checks.push({
      ok: true,
      name: 'catalogue',
      detail: `${parts.config.pairs.length} of ${pairs.length} pairs offered`,
    })
  for (const { name, ok, detail } of (await opened?.describe())?.engines ?? [])
    await check(`engine ${name}`, async () => {
      if (!ok) throw new Error(detail)
      const hasConverted = await opened?.checkEngine(name)
      return hasConverted ? `${detail}; converted a test document` : detail
    })
  await check('workers', async () => {
    const processes = await parts.withDatabase((database) => listProcesses<ProcessFacts>(database))
    const unhealthy = processes.flatMap(({ host, pid, facts }) =>
      (facts.unhealthy ?? []).map(({ engine, cause }) => `${engine} on ${host} (process ${pid}): ${cause}`),
    )
    if (unhealthy.length > 0)
      throw new Error(`Engines of a running worker do not work: ${unhealthy.join('; ')}`)
    return `${processes.filter(({ facts }) => facts.lanes).length} running, every engine works`
  })
  const fonts = opened?.fonts()
  if (fonts) checks.push({ ok: fonts.fault === null, name: 'fonts', detail: describeFonts(fonts) })
  if (opened) await check('pre-warmed processes', () => prewarmedProcesses(opened))
  await opened?.close()
  return checks
}

/** A container may run as a user that is not in /etc/passwd. */
function userName(): string | null {
  try {
    return userInfo().username
  } catch {
    // The user is not in /etc/passwd.
    return null
  }
}

const describeFonts = ({ folder, families, fault }: FontsState) =>
  `${folder}: ${fault ?? (families.join(', ') || 'no fonts')}`

/** Pre-warmed processes of every engine are started once, as a worker does. */
async function prewarmedProcesses(converter: Converter | undefined): Promise<string> {
  await converter?.prepare()
  const states = converter?.waiting() ?? []
  const late = states.filter(({ ready, wanted }) => ready < wanted)
  if (late.length > 0)
    throw new Error(
      `None can wait for ${late.map(({ engine }) => engine).join(', ')}: documents take longer, and are converted all the same. The log says why.`,
    )
  const held = states.map(({ engine, bytes }) => `${engine} ${Math.ceil(bytes / 1e6)} MB`)
  return held.length === 0 ? 'none are wanted' : `ready for a document each, holding ${held.join(', ')}`
}
