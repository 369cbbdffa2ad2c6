import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface FilterFile {
  /** A new descriptor with its own file position. The caller closes it. */
  open(): number
  close(): void
}

/** Stores the filter in an unlinked file, so that no other process can change it and nothing has to be removed. */
export async function openFilterFile(filter: Buffer): Promise<FilterFile> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-filter-'))
  const file = join(folder, 'seccomp.bpf')
  writeFileSync(file, filter, { mode: 0o600 })
  const descriptor = openSync(file, 'r')
  rmSync(file)
  await rm(folder, { recursive: true })
  return { open: () => openSync(`/proc/self/fd/${descriptor}`, 'r'), close: () => closeSync(descriptor) }
}
