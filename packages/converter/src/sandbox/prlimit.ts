import { type Enclosure, openFiles } from './policy.ts'

/** A command that sets the limits and executes the arguments after it, for levels whose own command sets none. */
export function prlimitCommand({ limits }: Enclosure, options: { countProcesses: boolean }): string[] {
  const { cpuSeconds } = limits
  return [
    '/usr/bin/prlimit',
    `--as=${limits.memoryBytes}`,
    // At the soft limit the kernel sends SIGXCPU, which identifies the cause; at the hard limit SIGKILL.
    ...(cpuSeconds === undefined ? [] : [`--cpu=${cpuSeconds}:${cpuSeconds + 1}`]),
    `--fsize=${limits.fileBytes}`,
    ...(options.countProcesses ? [`--nproc=${limits.processes}`] : []),
    `--nofile=${openFiles}`,
    '--core=0',
    '--',
  ]
}
