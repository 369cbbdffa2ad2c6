import { join } from 'node:path'
import { copyWithPackages } from './copy-repository.ts'
import type { DebianArchitecture } from './debian-root.ts'
import { startEmulator } from './emulator.ts'
import type { Machine } from './machine.ts'
import { makeDisk, makeSystemDisk } from './system-disk.ts'

export const emulatorPackages = [
  ...['qemu-system-x86', 'qemu-system-arm', 'qemu-user-static', 'binfmt-support'],
  ...['debian-archive-keyring', 'e2fsprogs', 'kmod'],
]

/** An emulated machine with the repository and npm's packages in /opt/kiln. Nothing that is written in it is kept. */
export async function startMachine(
  folder: string,
  architecture: DebianArchitecture,
  repository: string,
  port: number,
): Promise<Machine> {
  const { image, kernel } = await makeSystemDisk(folder, architecture)
  const files = join(folder, `${architecture}-files`)
  copyWithPackages(repository, join(files, 'kiln'), architecture)
  const disk = join(folder, `${architecture}-repository`)
  makeDisk(files, disk)
  const disks = [image, disk].map((file) => ({ file, kept: false }))
  return startEmulator({ architecture, kernel, disks, port })
}
