import { readdir, readFile, readlink, stat } from 'node:fs/promises'

// A file that was removed while it is open takes space that no folder shows. The processes of the box
// still hold it open, and /proc shows what they hold.

/** Bytes that a process and its descendants hold in removed files on the given devices. */
export async function unnamedBytes(pid: number, devices: ReadonlySet<number>): Promise<number> {
  const bytesOfFile = new Map<string, number>()
  for (const process of await withDescendants(pid)) {
    const folder = `/proc/${process}/fd`
    for (const name of await readdir(folder).catch(() => [])) {
      const path = `${folder}/${name}`
      const target = await readlink(path).catch(() => '')
      if (!target.endsWith(' (deleted)')) continue
      const status = await stat(path).catch(() => undefined)
      if (status?.isFile() && devices.has(status.dev))
        bytesOfFile.set(`${status.dev}:${status.ino}`, status.blocks * 512)
    }
  }
  return [...bytesOfFile.values()].reduce((sum, bytes) => sum + bytes, 0)
}

async function withDescendants(pid: number): Promise<string[]> {
  const found: string[] = []
  const pending = [String(pid)]
  for (let process = pending.pop(); process !== undefined; process = pending.pop()) {
    found.push(process)
    for (const task of await readdir(`/proc/${process}/task`).catch(() => [])) {
      const children = await readFile(`/proc/${process}/task/${task}/children`, 'utf8').catch(() => '')
      pending.push(...children.split(' ').filter(Boolean))
    }
  }
  return found
}
