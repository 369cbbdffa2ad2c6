import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, createCluster } from '@kiln/test-support/postgres-cluster.ts'
import type { Machine } from './network.ts'

// A primary with a synchronous standby, and HAProxy in front, which forwards connections to the server that the
// operator selects. Every step is one that an operator takes, with PostgreSQL's own programs (docs/operations.md).

export interface DatabaseMachine {
  name: string
  machine: Machine
  cluster: Cluster
}

export interface DatabasePair {
  /** Through the proxy. */
  url(role: string): string
  primary(): DatabaseMachine
  standby(): DatabaseMachine
  crash(which: DatabaseMachine): Promise<void>
  /** Fences the primary, promotes the standby and points the proxy to it. */
  failOver(): Promise<void>
  /** Makes the machine that was the primary the synchronous standby of the new one. */
  rejoin(): Promise<void>
  proxy: { kill(): void; start(): void }
}

export interface DatabaseParts {
  root: string
  machines: readonly [Machine, Machine]
  proxy: Machine
  /** Stops it. */
  stack: AsyncDisposableStack
}

const settingsOf = ({ address }: Machine, synchronous: boolean): string[] => [
  `listen_addresses = '${address}'`,
  'max_connections = 100',
  // pg_rewind needs both: hints, and the log since the last checkpoint that both servers have.
  'wal_log_hints = on',
  'wal_keep_size = 512MB',
  // Broken connections are noticed within seconds.
  'wal_sender_timeout = 5s',
  'wal_receiver_timeout = 5s',
  'tcp_keepalives_idle = 5',
  'tcp_keepalives_interval = 2',
  'tcp_keepalives_count = 3',
  `synchronous_standby_names = '${synchronous ? '*' : ''}'`,
]
const access = ['host all all 10.77.0.0/24 trust', 'host replication all 10.77.0.0/24 trust']

export async function openDatabasePair({
  root,
  machines,
  proxy,
  stack,
}: DatabaseParts): Promise<DatabasePair> {
  const [first, second] = machines
  const create = async (name: string, machine: Machine, copyOf?: string) => {
    const cluster = await createCluster({
      root: join(root, name),
      within: machine.within,
      settings: settingsOf(machine, false),
      access,
      ...(copyOf === undefined ? {} : { copyOf }),
    })
    // Fails for a server that is not running.
    stack.defer(() => cluster.stop('immediate').catch(() => {}))
    await cluster.start()
    return cluster
  }
  let primary: DatabaseMachine = { name: 'pg1', machine: first, cluster: await create('pg1', first) }
  for (const sql of ['create role kiln login createrole', 'create database kiln owner kiln'])
    await ask(primary, sql)
  let standby: DatabaseMachine = {
    name: 'pg2',
    machine: second,
    cluster: await create('pg2', second, sourceOf(primary)),
  }
  const makeSynchronous = async () => {
    await primary.cluster.configure(settingsOf(primary.machine, true), access)
    await primary.cluster.run('pg_ctl', '-D', primary.cluster.folder, 'reload')
    // Until then a promotion would lose acknowledged transactions.
    const question = 'select sync_state from pg_stat_replication'
    for (const giveUpAt = Date.now() + 30_000; ; await sleep(100)) {
      if ((await ask(primary, question)).trim() === 'sync') return
      if (Date.now() > giveUpAt) throw new Error('The standby is not synchronous within 30 s.')
    }
  }
  await makeSynchronous()
  const balancer = await startProxy(root, proxy, [primary, standby])
  stack.defer(balancer.kill)

  return {
    url: (role) => `postgresql://${role}:unused@${proxy.address}:5432/kiln`,
    primary: () => primary,
    standby: () => standby,
    async crash({ cluster }) {
      const [pid] = (await readFile(join(cluster.folder, 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
    async failOver() {
      // First: the old primary must get no further connection, whatever its state.
      await balancer.send(`disable server postgres/${primary.name}`)
      await balancer.send(`shutdown sessions server postgres/${primary.name}`)
      await standby.cluster.run('pg_ctl', '-D', standby.cluster.folder, '-w', 'promote')
      ;[primary, standby] = [standby, primary]
      await balancer.send(`enable server postgres/${primary.name}`)
    },
    async rejoin() {
      const { cluster, machine } = standby
      // As above.
      await cluster.stop('immediate').catch(() => {})
      // pg_rewind takes the timeline from the control file, which a promoted server writes at its next checkpoint.
      await ask(primary, 'checkpoint')
      const target = `--target-pgdata=${cluster.folder}`
      await cluster.run('pg_rewind', target, `--source-server=${sourceOf(primary)} dbname=postgres`, '-R')
      // Settings are in the data directory, and were copied with it.
      await cluster.configure(settingsOf(machine, false), access)
      await cluster.start()
      await makeSynchronous()
    },
    proxy: balancer,
  }
}

const ask = ({ cluster, machine }: DatabaseMachine, sql: string): Promise<string> =>
  cluster.run('psql', '-h', machine.address, '-U', 'postgres', '-qAtc', sql)

const sourceOf = ({ machine }: DatabaseMachine): string => `host=${machine.address} user=postgres`

async function startProxy(root: string, machine: Machine, servers: readonly DatabaseMachine[]) {
  const [settings, socket] = [join(root, 'haproxy.cfg'), join(root, 'haproxy.socket')]
  const server = ({ name, machine: { address } }: DatabaseMachine, isFirst: boolean) =>
    `  server ${name} ${address}:5432 check inter 1s fall 2 on-marked-down shutdown-sessions${isFirst ? '' : ' disabled'}`
  const lines = [
    `global\n  stats socket ${socket} level admin`,
    'defaults\n  mode tcp\n  timeout connect 2s\n  timeout client 1h\n  timeout server 1h',
    `listen postgres\n  bind ${machine.address}:5432`,
    ...servers.map((each, index) => server(each, index === 0)),
  ]
  await writeFile(settings, `${lines.join('\n')}\n`)
  const [command = '', ...args] = [...machine.within, 'haproxy', '-db', '-f', settings]
  // A restarted proxy has the state of its file, without later commands.
  const commands: string[] = []
  let child = spawn(command, args, { stdio: 'ignore' })
  const send = async (order: string) => {
    const connection = connect(socket)
    await once(connection, 'connect')
    connection.end(`${order}\n`)
    const answer = (await text(connection)).trim()
    if (answer !== '') throw new Error(`HAProxy answered "${order}" with: ${answer}`)
  }
  return {
    async send(order: string) {
      if (!order.startsWith('shutdown')) commands.push(order)
      await send(order)
    },
    kill: () => void child.kill('SIGKILL'),
    start() {
      child = spawn(command, args, { stdio: 'ignore' })
      const retell = async () => {
        for (const order of commands) await send(order)
      }
      setTimeout(() => void retell(), 1000)
    },
  }
}
