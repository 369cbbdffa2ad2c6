import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { S3Settings } from '../../server/src/storage/s3/s3-storage.ts'
import { freePort } from './free-port.ts'

// A real S3 server for tests: OpenStack Swift with its S3 interface, from Debian's packages. It checks signatures,
// lengths and expiry like S3 does. One proxy and one server each for accounts, containers and objects, on loopback, as
// the user that the packages create, in a separate folder.

const kinds = ['object', 'container', 'account'] as const
export const swiftProgram = fileURLToPath(new URL('./swift-servers.py', import.meta.url))

export interface Swift {
  settings: S3Settings
  stop(): Promise<void>
}

export async function startSwift(bucket = 'kiln-test'): Promise<Swift> {
  const user = await swiftUser()
  const folder = await mkdtemp(join(tmpdir(), 'kiln-swift-'))
  await chmod(folder, 0o755)
  const ports = {
    object: await freePort(),
    container: await freePort(),
    account: await freePort(),
    proxy: await freePort(),
  }
  await writeSwiftNode({ folder, address: '127.0.0.1', ports, user })
  const rings = kinds.map((kind) => `${kind}=127.0.0.1:${ports[kind]}`)
  const args = [swiftProgram, folder, user.uid, user.gid, ...rings, ...kinds, 'proxy']
  const servers = spawn('/usr/bin/python3', args.map(String), {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: folder },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const stop = async () => {
    if (servers.exitCode === null && servers.signalCode === null) {
      const ended = once(servers, 'exit')
      servers.stdin.end()
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  }
  const endpoint = `http://127.0.0.1:${ports.proxy}`
  const settings = swiftSettings(bucket, endpoint)
  try {
    const allRun = () => {
      if (servers.exitCode !== null || servers.signalCode !== null)
        throw new Error(`Swift ended with ${servers.exitCode}.`)
    }
    await waitFor(allRun, async () => (await fetch(`${endpoint}/healthcheck`)).ok)
    await createBucketOf(settings, allRun)
  } catch (error) {
    await stop()
    throw error
  }
  return { settings, stop }
}

export const swiftSettings = (bucket: string, endpoint: string): S3Settings => ({
  bucket,
  endpoint,
  publicEndpoint: null,
  region: 'us-east-1',
  accessKeyId: 'test:tester',
  secretAccessKey: 'testing',
  pathStyle: true,
  prefix: '',
})

/** Waits for the servers of containers, and for those of objects, which start later. */
export async function createBucketOf(settings: S3Settings, allRun: () => void = () => {}): Promise<void> {
  const { CreateBucketCommand, DeleteObjectCommand, PutObjectCommand, S3Client } = await import(
    '@aws-sdk/client-s3'
  )
  const { bucket: Bucket, accessKeyId, secretAccessKey } = settings
  const client = new S3Client({
    endpoint: settings.endpoint as string,
    region: settings.region,
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId, secretAccessKey },
  })
  const object = { Bucket, Key: 'is-ready' }
  await waitFor(allRun, async () => {
    await client.send(new CreateBucketCommand({ Bucket }))
    return true
  })
  await waitFor(allRun, async () => {
    await client.send(new PutObjectCommand({ ...object, Body: 'ready' }))
    await client.send(new DeleteObjectCommand(object))
    return true
  })
  client.destroy()
}

export interface SwiftNode {
  folder: string
  address: string
  ports: Readonly<Record<(typeof kinds)[number] | 'proxy', number>>
  user: { uid: number; gid: number }
}

/** The settings of all servers of one machine, and the directory of its objects. */
export async function writeSwiftNode({ folder, address, ports, user }: SwiftNode): Promise<void> {
  await mkdir(join(folder, 'devices', 'd1'), { recursive: true })
  await writeFile(
    join(folder, 'swift.conf'),
    '[swift-hash]\nswift_hash_path_prefix = a\nswift_hash_path_suffix = b\n',
  )
  for (const kind of kinds) {
    const head = headOf(address, ports[kind], folder)
    await writeFile(join(folder, `${kind}.conf`), storageServer(kind, head))
  }
  await writeFile(join(folder, 'proxy.conf'), proxyServer(headOf(address, ports.proxy, folder)))
  for (const name of ['devices', 'devices/d1']) await chown(join(folder, name), user.uid, user.gid)
}

/** The user of Debian's package; for callers without root, their own. */
export async function swiftUser(): Promise<{ uid: number; gid: number }> {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((entry) => entry.startsWith('swift:'))
  if (!line) {
    throw new Error(
      'The S3 tests need OpenStack Swift: apt-get install swift-proxy swift-account swift-container swift-object',
    )
  }
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  if (uid !== undefined && uid !== 0 && gid !== undefined) return { uid, gid }
  const [, , swiftUid, swiftGid] = line.split(':')
  return { uid: Number(swiftUid), gid: Number(swiftGid) }
}

async function waitFor(precondition: () => void, check: () => Promise<boolean>): Promise<void> {
  let problem: unknown
  for (
    const deadline = Date.now() + 60_000;
    Date.now() < deadline;
    await new Promise((resolve) => setTimeout(resolve, 100))
  ) {
    precondition()
    try {
      if (await check()) return
    } catch (error) {
      problem = error
    }
  }
  throw new Error('Swift did not come up.', { cause: problem })
}

// workers = 0: everything in the one process that we started, so that stopping it stops it all.
const headOf = (address: string, port: number, folder: string) => `[DEFAULT]
bind_ip = ${address}
bind_port = ${port}
user = swift
swift_dir = ${folder}
devices = ${folder}/devices
mount_check = false
workers = 0
log_level = ERROR
fallocate_reserve = 0
`

const storageServer = (kind: string, head: string) => `${head}
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
[object-updater]
interval = 3
`

const proxyServer = (head: string) => `${head}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache s3api tempauth bulk slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
# The proxy would leave a server alone for a minute that did not answer ten times, though it is only just starting.
error_suppression_limit = 1000000
conn_timeout = 1
node_timeout = 5
# Pages of any origin may upload, as docs/web-app.md has it for stores without rules for buckets.
cors_allow_origin = *
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
# The authentication asks for a cache to be configured, and does without one that answers.
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:9
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
cors_preflight_allow_origin = *
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
`
