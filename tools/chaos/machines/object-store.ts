import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createBucketOf,
  swiftProgram,
  swiftSettings,
  swiftUser,
  writeSwiftNode,
} from '@kiln/test-support/swift.ts'
import type { S3Settings } from '../../../packages/server/src/storage/s3/s3-storage.ts'
import type { Machine } from './network.ts'

// OpenStack Swift on several machines: three that store every object, container and account, and a proxy before them with
// the S3 interface. A write needs two of the three.

export interface StoreMachine {
  machine: Machine
  kill(): Promise<void>
  start(): void
}

export interface ObjectStore {
  settings: S3Settings
  nodes: readonly StoreMachine[]
  proxy: StoreMachine
}

const ports = { object: 6200, container: 6201, account: 6202, proxy: 8080 }

export async function openObjectStore(
  root: string,
  storing: readonly Machine[],
  proxy: Machine,
  stack: AsyncDisposableStack,
): Promise<ObjectStore> {
  const user = await swiftUser()
  const addresses = storing.map(({ address }) => address)
  const open = async (name: string, machine: Machine, kinds: readonly string[]): Promise<StoreMachine> => {
    const folder = join(root, name)
    await mkdir(folder, { recursive: true, mode: 0o755 })
    await writeSwiftNode({ folder, address: machine.address, ports, user })
    const [command = '', ...within] = machine.within
    const rings = ['object', 'container', 'account'].map(
      (kind) => `${kind}=${addresses.map((at) => `${at}:${ports[kind as 'object']}`).join(',')}`,
    )
    const args = [...within, '/usr/bin/python3', swiftProgram, folder, user.uid, user.gid, ...rings, ...kinds]
    const start = () =>
      spawn(command, args.map(String), {
        cwd: folder,
        env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', HOME: folder },
        stdio: ['pipe', 'ignore', 'ignore'],
      })
    let child = start()
    const kill = async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    stack.defer(kill)
    return {
      machine,
      kill,
      start() {
        child = start()
      },
    }
  }
  const nodes = await Promise.all(
    storing.map((machine, index) =>
      open(`store${index + 1}`, machine, ['object', 'container', 'account', 'object-updater']),
    ),
  )
  const front = await open('store-proxy', proxy, ['proxy'])
  const settings = swiftSettings('kiln-chaos', `http://${proxy.address}:${ports.proxy}`)
  await createBucketOf(settings)
  return { settings, nodes, proxy: front }
}
