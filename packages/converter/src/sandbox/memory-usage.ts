import { readFile } from 'node:fs/promises'
import { readProcFile } from './proc-files.ts'

// Anonymous memory of several processes together. RssAnon is cheap to read, but counts a page that a process shares with
// those it forked once for each of them. If that sum exceeds the limit, the proportional figure (Pss_Anon) decides, which
// takes the kernel longer.

const residentKilobytes = /^RssAnon:\s+(\d+) kB$/m
const proportionalKilobytes = /^Pss_Anon:\s+(\d+) kB$/m

export async function exceedsMemory(processes: readonly number[], bytes: number): Promise<boolean> {
  const resident = processes.map((pid) => kilobytesIn(readProcFile(`/proc/${pid}/status`), residentKilobytes))
  if (sum(resident) * 1024 <= bytes) return false
  const proportional = await Promise.all(processes.map(readProportional))
  return sum(proportional.map((figure, index) => figure ?? resident[index])) * 1024 > bytes
}

export async function memoryBytes(processes: readonly number[]): Promise<number> {
  return sum(await Promise.all(processes.map(readProportional))) * 1024
}

/** Undefined when the process has ended or may not be inspected. */
function kilobytesIn(text: string, pattern: RegExp): number | undefined {
  const figure = pattern.exec(text)?.[1]
  return figure === undefined ? undefined : Number(figure)
}

/** Asynchronous, because the kernel walks all pages of the process. The file disappears with the process. */
const readProportional = async (pid: number) =>
  kilobytesIn(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => ''), proportionalKilobytes)

const sum = (figures: readonly (number | undefined)[]): number =>
  figures.reduce<number>((total, figure) => total + (figure ?? 0), 0)
