import { readFile } from 'node:fs/promises'
import { readProcFile } from './proc-files.ts'

// Memory that processes hold together, without what they share with files. The kernel tells at once what each
// has mapped. Pages that a process has in common with those it forked count for each then; so a sum that is too
// high is looked at more closely, which takes the kernel longer.

const mappedKilobytes = /^RssAnon:\s+(\d+) kB$/m
const proportionalKilobytes = /^Pss_Anon:\s+(\d+) kB$/m

export async function holdsMore(processes: readonly number[], bytes: number): Promise<boolean> {
  const mapped = processes.map((pid) => kilobytes(readProcFile(`/proc/${pid}/status`), mappedKilobytes))
  if (sum(mapped) * 1024 <= bytes) return false
  const proportional = await Promise.all(processes.map(proportionally))
  return sum(proportional.map((figure, index) => figure ?? mapped[index])) * 1024 > bytes
}

/** Memory of theirs alone. */
export async function heldBytes(processes: readonly number[]): Promise<number> {
  return sum(await Promise.all(processes.map(proportionally))) * 1024
}

/** Nothing when the process has ended, or does not let us look. */
function kilobytes(told: string, pattern: RegExp): number | undefined {
  const figure = pattern.exec(told)?.[1]
  return figure === undefined ? undefined : Number(figure)
}

/** The kernel goes through all pages for this, so nobody else waits for it. */
const proportionally = async (pid: number) =>
  kilobytes(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => ''), proportionalKilobytes)

const sum = (figures: readonly (number | undefined)[]): number =>
  figures.reduce<number>((total, figure) => total + (figure ?? 0), 0)
