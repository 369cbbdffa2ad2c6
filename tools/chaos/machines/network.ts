import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

// Machines as network namespaces on one bridge. Each has its own address and reaches the others through a pair of
// virtual interfaces, whose outer end can be disconnected. Every packet of a machine is delayed, and some are lost,
// where the kernel has netem.

export interface Machine {
  address: string
  /** A command before each program of this machine. */
  within: readonly string[]
  /** While it is cut off, it has no network; its connections stay open on both sides. */
  cut(): Promise<void>
  join(): Promise<void>
}

export interface Network {
  /** Address of this process, for receivers that machines call. */
  address: string
  /** Delay and loss of each packet of a machine. */
  conditions: string
  addMachine(name: string): Promise<Machine>
  remove(): Promise<void>
}

const prefix = `kc${process.pid % 10_000}`
const subnet = '10.77.0'
const netem = ['delay', '2ms', '1ms', 'loss', '0.5%']

const run = (command: string, ...args: string[]) => promisify(execFile)(command, args)
const ip = (...args: string[]) => run('ip', ...args)

export async function openNetwork(): Promise<Network> {
  const bridge = `${prefix}b`
  const machines: string[] = []
  await ip('link', 'add', bridge, 'type', 'bridge')
  await ip('address', 'add', `${subnet}.1/24`, 'dev', bridge)
  await ip('link', 'set', bridge, 'up')
  let conditions = netem.join(' ')
  return {
    address: `${subnet}.1`,
    get conditions() {
      return conditions
    },
    async addMachine(name) {
      const namespace = `${prefix}-${name}`
      const outer = `${prefix}${machines.length}`
      const address = `${subnet}.${machines.length + 2}`
      const inside = (...args: string[]) => ip('-n', namespace, ...args)
      await ip('netns', 'add', namespace)
      machines.push(namespace)
      await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
      await ip('link', 'set', outer, 'master', bridge, 'up')
      await inside('address', 'add', `${address}/24`, 'dev', 'eth0')
      await inside('link', 'set', 'lo', 'up')
      await inside('link', 'set', 'eth0', 'up')
      await run('tc', '-n', namespace, 'qdisc', 'add', 'dev', 'eth0', 'root', 'netem', ...netem).catch(() => {
        conditions = 'no delay and no loss: this kernel has no netem'
      })
      return {
        address,
        within: ['ip', 'netns', 'exec', namespace],
        cut: async () => void (await ip('link', 'set', outer, 'down')),
        join: async () => void (await ip('link', 'set', outer, 'up')),
      }
    },
    async remove() {
      // Deleting fails for a namespace that was not created.
      for (const namespace of machines) await ip('netns', 'delete', namespace).catch(() => {})
      await ip('link', 'delete', bridge).catch(() => {})
    },
  }
}
