import { type Enclosure, openFiles } from './policy.ts'

/** Sets the limits and starts what follows, for levels whose command sets none. */
export function prlimitCommand({ limits }: Enclosure, options: { countProcesses: boolean }): string[] {
  const { cpuSeconds } = limits
  return [
    '/usr/bin/prlimit',
    `--as=${limits.memoryBytes}`,
    // At the first figure the kernel sends SIGXCPU, which we can tell from other ends; at the second SIGKILL.
    ...(cpuSeconds === undefined ? [] : [`--cpu=${cpuSeconds}:${cpuSeconds + 1}`]),
    `--fsize=${limits.fileBytes}`,
    ...(options.countProcesses ? [`--nproc=${limits.processes}`] : []),
    `--nofile=${openFiles}`,
    '--core=0',
    '--',
  ]
}
