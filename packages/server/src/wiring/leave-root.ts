import { mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environmentOf, readConfig } from '../config/config.ts'
import { changeOwner } from '../system-user/change-owner.ts'
import { ownerOrServiceUser } from '../system-user/passwd.ts'
import { canCreateFilesIn, commandAs } from '../system-user/run-as.ts'

// The service never runs as root. Every entry point calls this first, before it loads anything else of the service.
//
// For an ordinary user nothing happens. For root:
// 1. The user: the owner of the data directory, unless that is root; else `kiln`, which the set-up made. So an admin
//    command of root's works on the data of a service that an ordinary user runs.
// 2. The data folder and Kiln's files in it are given to that user (change-owner.ts). The program itself is not: it
//    stays root's, so the service can read it and not change it.
// 3. A port that only root may open is opened.
// 4. The process is replaced (execve) by the same program under that user, without any right of root's
//    (run-as.ts). It keeps its number, so signals and the exit code need not be forwarded. From there on it
//    is a start by an ordinary user, with the database and the engines as that user too.

const repository = resolve(fileURLToPath(new URL('../../../..', import.meta.url)))
const openPort = fileURLToPath(new URL('./open-port.pl', import.meta.url))

/** `listensOn` is the setting of the port that the process will listen on. */
export async function leaveRoot({ listensOn }: { listensOn?: 'port' | 'metricsPort' }): Promise<void> {
  // Other platforms have no sandbox for engines, so the service does not run there.
  if (process.getuid?.() !== 0 || process.platform !== 'linux' || !process.execve) return
  const { dataDir: wanted, host, ...config } = readConfig()
  const port = listensOn && config[listensOn]
  await mkdir(wanted, { recursive: true, mode: 0o711 })
  const dataDir = await realpath(wanted)
  const user = await ownerOrServiceUser(await stat(dataDir))
  await changeOwner(dataDir, user, async () => {
    const { stopOrphan } = await import('../db/private-postgres/server-process.ts')
    await stopOrphan(dataDir)
  })
  const program = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  const folders = [repository, dirname(process.execPath), dataDir]
  const command = await commandAs(user, folders, program)
  if (port && (await isReserved(port))) command.unshift('perl', openPort, host, String(port))
  process.chdir(repository)
  const environment = await environmentOf(user.name, dataDir, (directory) =>
    canCreateFilesIn(directory, user),
  )
  process.execve('/usr/bin/env', ['env', ...command], environment)
}

async function isReserved(port: number): Promise<boolean> {
  // Kernels without the file use this default.
  const first = await readFile('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8').catch(() => '1024')
  return port < Number(first)
}
